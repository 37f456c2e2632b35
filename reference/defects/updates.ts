import type { Context } from "../context.ts";
import { BODY_FIELDS, type BodyField } from "../fields/bodies.ts";
import { overlook, refuse, showField, showItems, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { compact, isObject, type Json, type JsonObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { answerStale, crashInstead, makeField, setOtherwise, storeField } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { inAll, onFields } from "./tools/on-fields.ts";
import { across, alwaysAndInTurn, eachWith, inTurn, operator } from "./tools/operator.ts";
import { CHANGES } from "./tools/texts.ts";

const FIELDS = BODY_FIELDS.filter(({ operation }) => UPDATES.includes(operation));
const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];
const versions = alwaysAndInTurn(() => VERSION_CHOICES);

/** A secret need not be shown, and a status can only be set to cancelled, which is tried apart. */
const isFree = ({ name }: BodyField) => name !== "verificationMethod" && name !== "status";
const isSent = ({ name }: BodyField, { body }: Context) => body[name] !== undefined && body[name] !== null;

type Way = "made" | "shown" | "stored";
const WAYS: Readonly<Record<Way, { readonly says: string; readonly breaks: readonly string[] }>> = {
  made: { says: "", breaks: ["UPDATE-ECHO", "UPDATE-STORED"] },
  shown: { says: " in the answer", breaks: ["UPDATE-ECHO"] },
  stored: { says: " in later reads", breaks: ["UPDATE-STORED"] },
};

/** Changes a field at one of the three places where an update shows. */
function changing(
  field: BodyField,
  way: Way,
  holds: (ctx: Context) => boolean,
  change: (value: Json | undefined, previous: Json | undefined) => Json | undefined,
): Hooks {
  const where: Where = [field.operation];
  const changed = (value: Json | undefined, ctx: Context, previous?: Json) =>
    holds(ctx) ? change(value, previous) : value;
  if (way === "made")
    return makeField(where, field.kept, (value, ctx, previous) => changed(value, ctx, previous));
  if (way === "stored")
    return storeField(where, field.kept, (value, previous, ctx) => changed(value, ctx, previous));
  return showField(where, field.shown, (value, _item, ctx) => changed(value, ctx));
}

function echoes(): Defect[] {
  return Object.entries(CHANGES).flatMap(([name, { does, applies, change }]) => {
    const fields = FIELDS.filter((field) => applies(field) && isFree(field));
    const about = (way: Way) => (field: BodyField) => ({
      breaks: WAYS[way].breaks,
      does: `${field.name} ${does}${WAYS[way].says}`,
      hooks: changing(
        field,
        way,
        (ctx) => isSent(field, ctx),
        (value) => (value === undefined ? undefined : change(value, field)),
      ),
    });
    return [
      ...(["made", "shown", "stored"] as const).flatMap((way, turn) =>
        onFields(name, inAll(fields.filter((_field, index) => index % 3 === turn)), about(way)),
      ),
      ...onFields(
        name,
        inTurn(fields, () => VERSION_CHOICES),
        about("made"),
      ),
    ];
  });
}

/** The value before, wherever it may still show. */
function stale(): Defect[] {
  const fields = FIELDS.filter(isFree);
  return [
    ...onFields("stale-answer", inAll(fields), (field) => ({
      breaks: ["UPDATE-ECHO"],
      does: `the answer shows the ${field.name} from before`,
      hooks: () => staleIn(field),
    })),
    ...onFields(
      "not-stored",
      eachWith(fields, () => [undefined, ...VERSION_CHOICES]),
      (field) => ({
        breaks: ["UPDATE-STORED"],
        does: `a new ${field.name} is answered and not stored`,
        hooks: changing(
          field,
          "stored",
          (ctx) => isSent(field, ctx),
          (_value, previous) => previous,
        ),
      }),
    ),
    ...onFields("ignored", inAll(fields), (field) => ({
      breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
      does: `a new ${field.name} is ignored`,
      hooks: setOtherwise([field.operation], ({ [field.kept]: _, ...others }) => others),
    })),
    ...onFields("list-stale", inAll(fields.filter(({ operation }) => CODE.includes(operation))), (field) => ({
      alsoAt: ["GET /v1/payment-codes"],
      breaks: ["UPDATE-STORED", "SHAPES-AGREE"],
      does: `the list goes on showing the ${field.name} from before`,
      hooks: () => staleList(field),
    })),
  ];
}

/** What a field was before the latest update, shown in its answer. */
function staleIn(field: BodyField): Hooks {
  const before = new WeakMap<Context, Json | undefined>();
  return {
    written: (ctx, _record, previous) => {
      if (isSent(field, ctx)) before.set(ctx, previous?.data[field.kept]);
    },
    item: (item, ctx) => (before.has(ctx) ? compact({ ...item, [field.shown]: before.get(ctx) }) : item),
  };
}

function staleList(field: BodyField): Hooks {
  const before = new Map<string, Json | undefined>();
  return {
    written: (_ctx, record, previous) => {
      if (previous && !before.has(record.id)) before.set(record.id, previous.data[field.kept]);
    },
    item: (item, ctx, { record }) =>
      ctx.operation === "GET /v1/payment-codes" && before.has(record.id)
        ? compact({ ...item, [field.kept]: before.get(record.id) })
        : item,
  };
}

/** What an update may do to a field that was not sent. */
const RESETS: Readonly<
  Record<string, { readonly does: string; readonly value: (field: BodyField) => Json | undefined }>
> = {
  "reset-unsent": { does: "is set to a constant", value: ({ constant }) => constant },
  "emptied-unsent": {
    does: "is emptied",
    value: ({ type }) => (type === "list" ? [] : type === "object" ? {} : type === "flag" ? false : ""),
  },
  "dropped-unsent": { does: "is lost", value: () => undefined },
};

function keeps(): Defect[] {
  // isActive of a payment code has a default; name and url are always there; lists that may be absent equal empty ones.
  const fields = FIELDS.filter(
    (field) =>
      !field.required &&
      isFree(field) &&
      !(CODE.includes(field.operation) && field.name === "isActive") &&
      field.operation !== "PATCH /payouts/{id}",
  );
  const reset = Object.entries(RESETS).flatMap(([name, { does, value }]) =>
    operator(
      name,
      eachWith(
        fields.filter(
          (field) =>
            value(field) !== undefined ||
            ["metadata", "apiVersion", "customHeaders", "alertEmails"].includes(field.name),
        ),
        (): Way[] => ["made", "shown", "stored"],
      ).map(([field, way]) => ({
        operation: field.operation,
        at: `${field.name}-${way}`,
        breaks: ["UPDATE-KEEPS"],
        does: `where it is not sent, ${field.name} ${does}${WAYS[way].says}`,
        hooks: changing(
          field,
          way,
          ({ body }) => !Object.hasOwn(body, field.name),
          () => value(field),
        ),
      })),
    ),
  );
  return [...reset, ...rest()];
}

/** Fields that no update takes, by their names in answers; the second value is one that may be there. */
const REST: Readonly<Partial<Record<OperationName, Readonly<Record<string, Json>>>>> = {
  "PATCH /payment-codes/{id}": {
    id: "pyc_other",
    mode: "recurrent_other",
    status: "completed",
    ussdCode: "*126*999999#",
    amount: { currency: "XAF", value: 1 },
    customerTarget: { name: "Somebody Else" },
    progress: { isCompleted: true, totalPaymentCount: 9, totalPaymentSum: { currency: "XAF", value: 9 } },
    financialAccountId: "fac_other",
    createTime: "2020-01-01T00:00:00.000Z",
  },
  "PATCH /payouts/{id}": {
    id: "pot_other",
    status: "settled",
    amount: { currency: "XAF", value: 1 },
    source: { financialAccountId: "fac_other" },
    destination: { providerCode: "cm_m_mtnmomo", accountId: "other" },
    charges: [],
    createTime: "2020-01-01T00:00:00.000Z",
  },
  "PATCH /webhooks/{id}": { id: "whk_other", createTime: "2020-01-01T00:00:00.000Z" },
};

function rest(): Defect[] {
  const places = Object.entries(REST).flatMap(([operation, fields]) =>
    Object.entries(fields).map(([field, value]) => ({ operation: operation as OperationName, field, value })),
  );
  const breaks = ["UPDATE-KEEPS-REST", "UPDATE-IDENTITY", "UPDATE-KEEPS"];
  return [
    ...operator(
      "rest-changed-in-answer",
      eachWith(places, () => [undefined, ...VERSION_CHOICES]).map(([{ operation, field, value }, when]) => ({
        operation,
        at: field,
        when,
        breaks,
        does: `the answer shows another ${field}`,
        hooks: showField([operation], field, () => value),
      })),
    ),
    ...operator(
      "rest-changed",
      places
        .filter(({ field }) => !["id", "customerTarget"].includes(field))
        .map(({ operation, field, value }) => ({
          operation,
          at: field,
          breaks,
          does: `an update sets ${field} to a constant`,
          hooks: makeField([operation], field, () => (field === "mode" ? "recurrent" : value)),
          equivalent:
            field === "status"
              ? "A status may move by itself, and this one moves with the first update and stays."
              : undefined,
        })),
    ),
    ...operator(
      "rest-lost-in-reads",
      places
        .filter(({ field }) =>
          [
            "amount",
            "ussdCode",
            "source",
            "destination",
            "charges",
            "progress",
            "financialAccountId",
          ].includes(field),
        )
        .map(({ operation, field, value }) => ({
          operation,
          at: field,
          breaks,
          does: `the answer is right, and later reads show another ${field}`,
          hooks: storeField([operation], field, () => value),
        })),
    ),
    ...across("others-changed", WEBHOOK, versions, {
      breaks: ["UPDATE-KEEPS", "UPDATE-NO-EFFECT", "UPDATE-KEEPS-REST"],
      does: "new metadata of a webhook is given to every webhook of the space",
      hooks: () => ({
        written: ({ body, service }, record) => {
          if (!isObject(body.metadata)) return;
          for (const other of service.store.all("webhook"))
            if (other.space === record.space && other.id !== record.id)
              service.store.replace({ ...other, data: { ...other.data, metadata: body.metadata } });
        },
      }),
    }),
  ];
}

function acceptance(): Defect[] {
  return [
    ...across(
      "empty-refused",
      ["PATCH /payment-codes/{id}", "PATCH /payouts/{id}"],
      () => [undefined, ...VERSION_CHOICES],
      {
        breaks: (operation) => [operation === "PATCH /payouts/{id}" ? "UPDATE-EMPTY-PAYOUT" : "UPDATE-EMPTY"],
        does: "an update with no fields is refused",
        hooks: (where) =>
          refuse(
            where,
            "body",
            { at: "body", rule: "required", message: "nothing to do" },
            ({ body }) => Object.keys(body).length === 0,
          ),
      },
    ),
    ...across("unknown-updated", UPDATES, () => [undefined, ...VERSION_CHOICES], {
      breaks: ["UPDATE-UNKNOWN"],
      does: "an update of an unknown id is answered as done",
      hooks: (where) => overlook(where, { stage: "find" }),
    }),
    ...across("unknown-crashes", UPDATES, versions, {
      breaks: ["NO-SERVER-ERROR"],
      does: "an update of an unknown id is answered with 500",
      hooks: (where) => crashInstead(where, ({ rule }) => rule === "known"),
    }),
    ...across("id-moves", UPDATES, versions, {
      breaks: ["UPDATE-IDENTITY", "UPDATE-KEEPS-REST"],
      does: "the answer shows a new id",
      hooks: (where) => showItems(where, (item) => ({ ...item, id: `${item.id}-2` })),
    }),
  ];
}

const cancelling = ({ body }: Context) => body.status === "cancelled";
const whenCancelled = (
  change: (
    changes: Readonly<Record<string, Json | undefined>>,
    previous: JsonObject,
  ) => Readonly<Record<string, Json | undefined>>,
) => setOtherwise(CODE, (changes, ctx, previous) => (cancelling(ctx) ? change(changes, previous) : changes));

/** The one documented transition (section 3). */
const CANCELS: Readonly<
  Record<string, readonly [breaks: readonly string[], does: string, hooks: () => Hooks]>
> = {
  "cancel-ignored": [
    ["CANCEL-STATUS"],
    "a code whose status is set to cancelled stays what it was",
    () => whenCancelled((changes, { status }) => ({ ...changes, status })),
  ],
  "cancel-not-stored": [
    ["CANCEL-STATUS"],
    "a cancellation is answered and not stored",
    () => storeField(CODE, "status", (_value, previous) => previous),
  ],
  "cancel-answer-stale": [
    ["CANCEL-STATUS"],
    "the answer to a cancellation shows the status from before",
    () => answerStale(CODE, ["status"]),
  ],
  "cancel-respelled": [
    ["CANCEL-STATUS"],
    "the answer to a cancellation spells it canceled",
    () => showField(CODE, "status", (value) => (value === "cancelled" ? "canceled" : value)),
  ],
  "cancel-expires": [
    ["CANCEL-STATUS"],
    "a cancelled code is expired",
    () => whenCancelled((changes) => ({ ...changes, status: "expired" })),
  ],
  "cancel-refused": [
    ["CANCEL-STATUS"],
    "a cancellation is refused",
    () => refuse(CODE, "body", { at: "body.status", rule: "state", message: "not now" }, cancelling),
  ],
  "cancel-alone": [
    ["CANCEL-TOGETHER"],
    "fields sent with a cancellation are ignored",
    () => whenCancelled((changes, previous) => ({ ...previous, status: changes.status })),
  ],
  "cancel-rest-not-stored": [
    ["CANCEL-TOGETHER"],
    "fields sent with a cancellation are answered and not stored",
    () => ({
      stored: (record, ctx, previous) =>
        record && previous && cancelling(ctx)
          ? { ...record, data: { ...previous.data, status: "cancelled" } }
          : record,
    }),
  ],
  "cancel-drops-metadata": [
    ["CANCEL-TOGETHER"],
    "a cancellation empties the metadata",
    () => whenCancelled((changes) => ({ ...changes, metadata: {} })),
  ],
};

/** Updates (rows 80 to 85). */
export const updateDefects: readonly Defect[] = [
  ...echoes(),
  ...stale(),
  ...keeps(),
  ...acceptance(),
  ...Object.entries(CANCELS).flatMap(([name, [breaks, does, hooks]]) =>
    across(name, CODE, () => [undefined], { breaks, does, hooks }),
  ),
];
