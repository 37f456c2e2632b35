import type { Context } from "../context.ts";
import { CREATES, DOCUMENTED, refuse, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import { type OperationName, operations } from "../operations.ts";
import { FILTERED, LATER_PAGES, VERSION_CHOICES } from "../operators/condition.ts";
import { ALWAYS, across, type Cases, EVERY_VERSION, SOME_VERSION } from "../operators/operator.ts";
import { spacesOf } from "../read-hook-tools.ts";
import type { Kind, StoredRecord } from "../store.ts";
import type { Defect } from "./defect.ts";

const facts = new Map(operations.map((operation) => [operation.name, operation]));
const spaceMax = (operation: OperationName) => facts.get(operation)?.spaceMax ?? Infinity;
const IN_SPACES: Where = DOCUMENTED.filter((name) => Number.isFinite(spaceMax(name)));
const WITHOUT_SPACE: Where = DOCUMENTED.filter((name) => !IN_SPACES.includes(name));
const LISTS: Where = ["GET /v1/ussd-otps", "GET /v1/payment-codes", "GET /webhooks"];
const READS: Where = ["GET /payment-codes/{id}", "GET /payouts/{id}"];

const sent = (ctx: Context) => ctx.request.headers["service-space-id"];

/** Without a rejection, the request acts on the first space of the token. */
function letPass(isMeant: (space: string | undefined, ctx: Context) => boolean): (where: Where) => Hooks {
  return () => ({
    problems: (problems, ctx, stage) => (stage === "space" && isMeant(sent(ctx), ctx) ? [] : problems),
  });
}

const lengthOver = (over: (by: number) => boolean) =>
  letPass(
    (space = "", ctx) => space.startsWith("spc-") && over(space.length - (ctx.facts?.spaceMax ?? Infinity)),
  );

const unknown = (ctx: Context) => !spacesOf(ctx).includes(sent(ctx) ?? "");

function ownInPlaceOf(isMeant: (ctx: Context) => boolean): NonNullable<Hooks["effectiveSpace"]> {
  return (space, ctx) => (isMeant(ctx) ? (spacesOf(ctx)[0] ?? space) : space);
}

function isLongerThanOwn(ctx: Context): boolean {
  const [own = ""] = spacesOf(ctx);
  return unknown(ctx) && own !== "" && sent(ctx)?.startsWith(own) === true;
}

function isolation(operation: OperationName): string[] {
  if (LISTS.includes(operation)) return ["ISOLATION-LISTS"];
  return [READS.includes(operation) ? "ISOLATION-READS" : "ISOLATION-WRITES"];
}

const inLists: Cases = (operation) => [
  undefined,
  ...VERSION_CHOICES,
  ...(LISTS.includes(operation) ? [LATER_PAGES] : []),
  ...(operation === "GET /v1/payment-codes" ? [FILTERED] : []),
];

const underFilters: Cases = (operation, name) => [
  ...SOME_VERSION(operation, name),
  ...(operation === "GET /v1/payment-codes" ? [FILTERED] : []),
];

function namedBy(ctx: Context, kind: Kind, parameter: "after" | "before"): StoredRecord | undefined {
  const text = ctx.query.get(parameter)?.[0] ?? "";
  const [encoded = ""] = text.split(".");
  const id = kind === "webhook" ? text : idIn(Buffer.from(encoded, "base64url").toString());
  return ctx.service.store.get(kind, id);
}

function idIn(payload: string): string {
  try {
    const [id] = JSON.parse(payload) as Json[];
    return typeof id === "string" ? id : "";
  } catch {
    return "";
  }
}

function byCursor(parameter: "after" | "before"): (where: Where) => Hooks {
  return () => ({
    members: (members, ctx, kind) => {
      const named = namedBy(ctx, kind, parameter);
      const other = named && named.space !== ctx.space ? named.space : undefined;
      return other === undefined
        ? members
        : ctx.service.store.all(kind).filter(({ space }) => space === other);
    },
    cursorStart: (start, ctx, { items }) => {
      const [first] = items;
      const named = first && namedBy(ctx, first.kind, parameter);
      return named && named.space !== ctx.space ? items.findIndex(({ id }) => id === named.id) + 1 : start;
    },
  });
}

export const spaceDefects: readonly Defect[] = [
  ...across("no-space", IN_SPACES, SOME_VERSION, {
    breaks: ["SPACE-MISSING"],
    does: "calls without Service-Space-Id pass",
    hooks: letPass((space) => space === undefined),
  }),
  ...across("no-space-but-done", [...CREATES, ...UPDATES], ALWAYS, {
    breaks: (operation) => [CREATES.includes(operation) ? "CREATE-NO-EFFECT" : "UPDATE-NO-EFFECT"],
    does: "a call without Service-Space-Id is refused after it was carried out",
    hooks: () => ({ late: (late, ctx, stage) => late || (stage === "space" && !sent(ctx)) }),
  }),
  ...across("unknown-space-but-done", UPDATES, SOME_VERSION, {
    breaks: ["ISOLATION-UNKNOWN-SPACE"],
    does: "an update in a space that does not exist is refused after it was carried out",
    hooks: () => ({
      late: (late, ctx, stage) => late || (stage === "space" && unknown(ctx)),
      effectiveSpace: ownInPlaceOf(unknown),
    }),
  }),
  ...across("empty-space", IN_SPACES, SOME_VERSION, {
    breaks: ["SPACE-MISSING"],
    does: "an empty Service-Space-Id passes",
    hooks: letPass((space) => space === ""),
  }),
  ...across("any-space-form", IN_SPACES, SOME_VERSION, {
    breaks: ["SPACE-PATTERN"],
    does: "a Service-Space-Id that does not begin with spc- passes",
    hooks: letPass((space) => Boolean(space) && !space?.startsWith("spc-")),
  }),
  ...across("space-one-longer", IN_SPACES, SOME_VERSION, {
    breaks: ["SPACE-LENGTH"],
    does: "a Service-Space-Id may have one character more than it may",
    hooks: lengthOver((by) => by === 1),
  }),
  ...across("space-any-length", IN_SPACES, SOME_VERSION, {
    breaks: ["SPACE-LENGTH"],
    does: "a Service-Space-Id may have any length",
    hooks: lengthOver((by) => by > 0),
  }),
  ...across("unknown-space", [...LISTS, ...CREATES], SOME_VERSION, {
    breaks: ["SPACE-UNKNOWN"],
    does: "a space that does not exist is an empty one",
    hooks: letPass((space = "", ctx) => space.startsWith("spc-") && space.length <= 64 && unknown(ctx)),
  }),
  ...across("unknown-space-is-own", IN_SPACES, underFilters, {
    breaks: ["ISOLATION-UNKNOWN-SPACE", "SPACE-UNKNOWN"],
    does: "a space that does not exist stands for the token's own",
    hooks: (where) => ({
      ...letPass((space = "", ctx) => space.startsWith("spc-") && space.length <= 64 && unknown(ctx))(where),
      effectiveSpace: ownInPlaceOf(unknown),
    }),
  }),
  ...across("longer-space-is-own", IN_SPACES, ALWAYS, {
    breaks: ["ISOLATION-UNKNOWN-SPACE", "SPACE-UNKNOWN"],
    does: "a space that does not exist stands for the token's own, whose id it begins with",
    hooks: (where) => ({
      ...letPass((_, ctx) => isLongerThanOwn(ctx))(where),
      effectiveSpace: ownInPlaceOf(isLongerThanOwn),
    }),
  }),
  ...across("space-demanded", WITHOUT_SPACE, SOME_VERSION, {
    breaks: ["REFERENCE-WITHOUT-SPACE"],
    does: "calls without Service-Space-Id are refused",
    hooks: (where) =>
      refuse(
        where,
        "version",
        { at: "header.Service-Space-Id", rule: "required", message: "it is required" },
        (ctx) => !sent(ctx),
      ),
  }),
  // The suite looks here for resources of another space.
  ...across("named-space-ignored", ["GET /v1/financial-accounts"], SOME_VERSION, {
    breaks: ["ISOLATION-LISTS"],
    does: "resources of every space are within reach",
    hooks: () => ({ visible: () => true }),
  }),
  ...across("other-space-seen", [...LISTS, ...READS, ...UPDATES], inLists, {
    breaks: isolation,
    does: "resources of every space are within reach",
    hooks: () => ({ visible: () => true }),
  }),
  ...across("space-ignored", IN_SPACES, SOME_VERSION, {
    breaks: (operation) => [
      ...isolation(operation),
      ...(CREATES.includes(operation) ? ["UNIQUE-PER-SPACE", "ISOLATION-KEYS"] : []),
    ],
    does: "every call acts on the token's first space",
    hooks: () => ({ effectiveSpace: (space, ctx) => spacesOf(ctx)[0] ?? space }),
  }),
  ...across("space-of-cursor", LISTS, SOME_VERSION, {
    breaks: ["ISOLATION-LISTS"],
    does: "a cursor of another space leads into that space",
    hooks: byCursor("after"),
  }),
  ...across("space-of-before", ["GET /webhooks"], EVERY_VERSION, {
    breaks: ["ISOLATION-LISTS"],
    does: "before with an id of another space leads into that space",
    hooks: byCursor("before"),
  }),
  ...across("key-without-space", CREATES, EVERY_VERSION, {
    breaks: ["ISOLATION-KEYS"],
    does: "an Idempotency-Key of one space gives its resource in another",
    hooks: () => ({
      keyIndex: (_index, ctx) => JSON.stringify([ctx.operation, ctx.key]),
      keyFingerprint: () => "",
    }),
  }),
  ...across("made-in-every-space", CREATES, SOME_VERSION, {
    breaks: ["ISOLATION-WRITES", "ISOLATION-LISTS"],
    does: "what is created in one space is also made in the other",
    hooks: () => ({
      written: (ctx, record) => {
        const { store, spaces } = ctx.service;
        for (const space of spaces)
          if (space !== record.space) store.add({ ...record, id: ctx.service.newId("copy"), space });
      },
    }),
  }),
];
