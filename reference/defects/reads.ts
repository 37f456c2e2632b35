import type { Context } from "../context.ts";
import { SHAPES } from "../fields/answers.ts";
import { LISTS, overlook, PAGED, SINGLES, showEnvelope, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject } from "../json.ts";
import {
  type Condition,
  LATER_PAGES,
  UNDER_OLDER,
  UNVERSIONED,
  VERSION_CHOICES,
} from "../operators/condition.ts";
import { across, inTurn, operator, SOME_VERSION } from "../operators/operator.ts";
import { hasOther, otherValue } from "../operators/others.ts";
import { changeAt, showAt } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const CODE: Where = ["GET /payment-codes/{id}"];
const REFERENCE: Where = ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}", "GET /countries/{idOrCode}"];

const KINDS = ["bank", "momo", "country", "paymentCode", "payout"] as const;

const sought = ({ params }: Context) => params.idOrCode ?? params.id ?? "";
const BY_CODE: Condition = {
  name: "by-code",
  says: "when read by code only",
  breaks: [],
  holds: (ctx) =>
    sought(ctx) !== "" &&
    (["bank", "momo", "country"] as const).every((kind) => !ctx.service.store.get(kind, sought(ctx))),
};
const BY_ID: Condition = {
  name: "by-id",
  says: "when read by id only",
  breaks: [],
  holds: (ctx) => !BY_CODE.holds(ctx),
};

const SHARED =
  /^(id|name|mode|isActive|status|ussdCode|amount\/.*|allowedProviders|financialAccountId|expireTime|createTime|metadata)$/;

function agreement(): Defect[] {
  const places = SHAPES.flatMap(({ shown, fields }) =>
    shown
      .filter((operation) => [...REFERENCE, ...CODE].includes(operation))
      .flatMap((operation) => fields.map((field) => ({ operation, field }))),
  ).filter(
    ({ operation, field }) =>
      hasOther(field.type, field.path) && (!CODE.includes(operation) || SHARED.test(field.path)),
  );
  const breaks = (operation: Where[number]) =>
    CODE.includes(operation) ? ["SHAPES-AGREE"] : ["READ-MATCHES-LIST"];
  const where = (operation: Where[number]) =>
    CODE.includes(operation) ? VERSION_CHOICES : [BY_ID, BY_CODE, ...VERSION_CHOICES];
  const optional = places.filter(({ field }) => field.presence === undefined);
  return [
    ...operator(
      "differs-from-list",
      [
        ...places.map((place) => [place, undefined] as const),
        ...inTurn(places, ({ operation }) => where(operation)),
      ].map(([{ operation, field }, when]) => ({
        operation,
        at: field.path.replaceAll("/", "."),
        when,
        breaks: breaks(operation),
        does: `${field.path} is another than in the list`,
        hooks: showAt([operation], field.path, (value) =>
          value === undefined ? undefined : otherValue(field.type, value),
        ),
      })),
    ),
    ...operator(
      "shortened",
      places
        .filter(({ field: { type, path } }) => type === "text" && path !== "id")
        .map(({ operation, field }) => ({
          operation,
          at: field.path.replaceAll("/", "."),
          breaks: breaks(operation),
          does: `${field.path} lacks its last character`,
          hooks: showAt([operation], field.path, (value) =>
            typeof value === "string" ? value.slice(0, -1) : value,
          ),
        })),
    ),
    ...operator(
      "missing-beside-list",
      optional
        .filter(({ operation }) => REFERENCE.includes(operation))
        .map(({ operation, field }) => ({
          operation,
          at: field.path.replaceAll("/", "."),
          breaks: breaks(operation),
          does: `${field.path} is missing, which the list shows`,
          hooks: showAt([operation], field.path, () => undefined),
        })),
    ),
    ...operator(
      "customer-differs",
      ["name", "payingPhoneNumber"].map((field) => ({
        operation: "GET /payment-codes/{id}" as const,
        at: field,
        breaks: ["SHAPES-CUSTOMER"],
        does: `the customer's ${field} is another than in the list`,
        hooks: showAt(CODE, `customerTarget/${field}`, (value) =>
          typeof value === "string" ? (field === "name" ? "Somebody Else" : "+4400000000") : value,
        ),
      })),
    ),
    ...operator(
      "target-differs",
      ["expectedPaymentCount", "expectedPaymentSum/value"].map((field) => ({
        operation: "GET /payment-codes/{id}" as const,
        at: field.replace("/", "."),
        breaks: ["SHAPES-AGREE"],
        does: `${field} of the target is one more than in the list`,
        hooks: showAt(CODE, `financialTarget/${field}`, (value) =>
          typeof value === "number" ? value + 1 : value,
        ),
      })),
    ),
  ];
}

/** Behind a cursor, records differ from those at the beginning. */
function differentBehindCursors(): Defect[] {
  const fields = SHAPES.flatMap(({ shown, fields }) =>
    PAGED.filter((operation) => shown.includes(operation)).flatMap((operation) =>
      fields
        .filter(({ path, type }) => !OF_OTHER_RULES.test(path) && hasOther(type, path))
        .map((field) => ({ operation, field })),
    ),
  );
  return operator(
    "differs-behind-cursor",
    fields.map(({ operation, field }) => ({
      operation,
      at: field.path.replaceAll("/", "."),
      when: LATER_PAGES,
      breaks: ["READ-STABLE"],
      does: `${field.path} is another`,
      hooks: showAt([operation], field.path, (value) =>
        value === undefined || value === null ? value : otherValue(field.type, value),
      ),
    })),
  );
}

/** These fields identify records or filter lists, so other rules judge them, too. */
const OF_OTHER_RULES = /^(id|mode|status|ussdCode)$/;

function loosely(isMeant: (id: string, record: StoredRecord) => boolean): (where: Where) => Hooks {
  return () => ({
    found: (record, ctx, { kind, id }) =>
      record ??
      ctx.service.store
        .all(kind)
        .find((other) => (other.space === "" || other.space === ctx.space) && isMeant(id, other)),
  });
}

const ids = ({ id, data }: StoredRecord) => [id, ...(typeof data.code === "string" ? [data.code] : [])];
const LOOSE: Readonly<
  Record<
    string,
    readonly [breaks: string, does: string, isMeant: (id: string, record: StoredRecord) => boolean]
  >
> = {
  "any-id-found": ["READ-UNKNOWN", "an unknown id shows the first record", () => true],
  "id-beginning-found": [
    "READ-UNKNOWN",
    "an id that lacks its end is found",
    (id, record) => ids(record).some((known) => id.length >= known.length - 3 && known.startsWith(id)),
  ],
  "id-and-more-found": [
    "READ-UNKNOWN",
    "an id with something behind it is found",
    (id, record) => ids(record).some((known) => id.trimEnd() === id && id.startsWith(known)),
  ],
  "id-with-blanks-found": [
    "READ-UNKNOWN-BLANKS",
    "an id with blanks behind it is found",
    (id, record) => ids(record).includes(id.trimEnd()),
  ],
};

function volatileField(path: string, type: "time" | "object"): (where: Where) => Hooks {
  return (where) =>
    showAt(where, path, (value, { ctx }) =>
      value === undefined
        ? value
        : type === "time"
          ? new Date(Date.parse(String(value)) + ctx.number * 60_000).toISOString()
          : { reads: String(ctx.number) },
    );
}

export const readDefects: readonly Defect[] = [
  ...agreement(),
  ...differentBehindCursors(),
  ...Object.entries(LOOSE).flatMap(([name, [breaks, does, isMeant]]) =>
    across(name, SINGLES, SOME_VERSION, { breaks: [breaks], does, hooks: loosely(isMeant) }),
  ),
  ...across("other-kind-found", SINGLES, SOME_VERSION, {
    breaks: ["READ-UNKNOWN"],
    does: "the id of something else shows the first record",
    hooks: () => ({
      found: (record, ctx, { kind, id }) => {
        const { store } = ctx.service;
        const inReach = ({ space }: StoredRecord) => space === "" || space === ctx.space;
        const isKnown = KINDS.some((other) => {
          const found = other === kind ? undefined : store.get(other, id);
          return found !== undefined && inReach(found);
        });
        return record ?? (isKnown ? store.all(kind).find(inReach) : undefined);
      },
    }),
  }),
  ...across("unknown-is-empty", SINGLES, SOME_VERSION, {
    breaks: ["READ-UNKNOWN"],
    does: "an unknown id is answered with an empty object",
    hooks: (where) => overlook(where, { stage: "find" }),
  }),
  ...across("unknown-is-null", SINGLES, SOME_VERSION, {
    breaks: ["READ-UNKNOWN"],
    does: "an unknown id is answered with null",
    hooks: (where) =>
      together(
        overlook(where, { stage: "find" }),
        showEnvelope(where, (body) =>
          isObject(body.result) && body.result.id === undefined ? { ...body, result: null } : body,
        ),
      ),
  }),
  // The suite blames the fixture if the newest version lacks the payout.
  ...across(
    "not-found-by-id",
    SINGLES,
    (operation, name) =>
      operation.includes("payouts") ? [UNDER_OLDER, UNVERSIONED] : SOME_VERSION(operation, name),
    {
      breaks: ["READ-ACCEPTED", "VERSION-ACCEPTED"],
      does: "what exists is not found by its id",
      hooks: () => ({ found: (record, _ctx, { id }) => (record?.id === id ? undefined : record) }),
    },
  ),
  ...across("not-found-by-code", REFERENCE, SOME_VERSION, {
    breaks: ["READ-ACCEPTED"],
    does: "what exists is not found by its code",
    hooks: () => ({ found: (record, _ctx, { id }) => (record?.id === id ? record : undefined) }),
  }),
  ...["pending", "processing", "expired", "cancelled", "completed"].flatMap((status) =>
    across("state-not-found", CODE, () => [undefined], {
      at: status,
      breaks: ["READ-ACCEPTED"],
      does: `a code that is ${status} is listed and not found`,
      hooks: () => ({ found: (record) => (record?.data.status === status ? undefined : record) }),
    }),
  ),
  ...across(
    "time-moves",
    [...SINGLES, ...LISTS].filter((operation) => !operation.includes("countries")),
    SOME_VERSION,
    {
      at: "createTime",
      breaks: ["READ-STABLE", "CURSOR-REPEATABLE"],
      does: "createTime moves with every read",
      hooks: volatileField("createTime", "time"),
    },
  ),
  ...across("metadata-moves", ["GET /payment-codes/{id}", "GET /payouts/{id}"], SOME_VERSION, {
    at: "metadata",
    breaks: ["READ-STABLE"],
    does: "metadata counts the reads",
    hooks: volatileField("metadata", "object"),
  }),
  ...across("read-counts", ["GET /payment-codes/{id}", "GET /payouts/{id}"], SOME_VERSION, {
    breaks: ["READ-STABLE"],
    does: "a read is counted in the metadata",
    hooks: () => ({
      wasRead: (ctx, record) => {
        const reads = isObject(record.data.metadata) ? Number(record.data.metadata.reads ?? 0) : 0;
        ctx.service.store.replace({
          ...record,
          data: changeAt({ ...record.data, metadata: record.data.metadata ?? {} }, "metadata", (value) => ({
            ...(isObject(value) ? value : {}),
            reads: String(reads + 1),
          })),
        });
      },
    }),
  }),
];
