import type { Context } from "../context.ts";
import { CREATES, isAt, refuse, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { JsonObject } from "../json.ts";
import { ALWAYS, type Row, tabled } from "../operators/operator.ts";
import type { Kind, StoredRecord } from "../store.ts";
import type { Defect } from "./defect.ts";

const HOOKS: Where = ["POST /webhooks"];
const CHANGED_HOOK: Where = ["PATCH /webhooks/{id}"];
const CHANGED_CODE: Where = ["PATCH /payment-codes/{id}"];
const WITHOUT_REQUIRED: Where = ["PATCH /payment-codes/{id}", "PATCH /payouts/{id}"];
const CODES: Where = ["GET /v1/payment-codes"];
const ACCOUNTS: Where = ["POST /v1/financial-accounts"];

function recordKindOf({ operation }: Context): Kind {
  return operation === "POST /webhooks" ? "webhook" : "financialAccount";
}

function isTaken(ctx: Context): boolean {
  const all = ctx.service.store.all(recordKindOf(ctx)).filter(({ space }) => space === ctx.space);
  return all.some(({ data }) => data.name === ctx.body.name);
}

function openedByKey(where: Where): () => Hooks {
  return () => {
    const used = new Set<string>();
    const isUsed = (ctx: Context) =>
      isAt(ctx, where) && used.has(ctx.request.headers["idempotency-key"] ?? "");
    return {
      written: (ctx) => {
        if (isAt(ctx, where)) used.add(ctx.key);
      },
      credentials: (credentials, ctx) => {
        const [token = ""] = ctx.service.tokens.keys();
        return isUsed(ctx) ? { scheme: "Bearer", token } : credentials;
      },
      problems: (problems, ctx, stage) => (stage === "auth" && isUsed(ctx) ? [] : problems),
    };
  };
}

function webhookOf(ctx: Context): StoredRecord {
  const { name = "", url = "", events, metadata = {} } = ctx.body;
  const now = ctx.service.now();
  const data: JsonObject = {
    name,
    url,
    events: Array.isArray(events) ? events : [],
    isActive: false,
    createTime: now.toISOString(),
    metadata,
  };
  return { kind: "webhook", id: ctx.service.newId("whk"), space: ctx.space, writtenAt: now.getTime(), data };
}

const storedThough = (): Hooks => ({
  rejection: (rejection, ctx) => {
    if (isAt(ctx, HOOKS) && rejection.problems.some(({ rule }) => rule === "reuse"))
      ctx.service.store.add(webhookOf(ctx));
    return rejection;
  },
});

const changed =
  (where: Where, change: (data: JsonObject, ctx: Context, previous: StoredRecord) => JsonObject) =>
  (): Hooks => ({
    made: (record, ctx, previous) =>
      previous && isAt(ctx, where)
        ? { ...record, data: { ...record.data, ...change(record.data, ctx, previous) } }
        : record,
  });

const sizeless = ({ query }: Context) => !query.has("limit");
const asked = ({ query }: Context) =>
  ["mode", "status", "ussd_code"].filter((name) => query.has(name)).length;

const passing = (parameter: string, when: (ctx: Context) => boolean) => (): Hooks => ({
  matches: (matches, ctx, filter) =>
    matches || (isAt(ctx, CODES) && filter.parameter === parameter && when(ctx)),
});

const NAMES: Readonly<Record<string, Row>> = {
  "name-taken": [
    "UNIQUE-NO-OTHERS",
    "a name may be used once in a space",
    (where) => refuse(where, "conflict", { at: "body.name", rule: "unique", message: "taken" }, isTaken),
  ],
  "key-opens": ["AUTH-MISSING", "a key that was used opens what a token opens", openedByKey],
};

/** Mistakes planted without knowledge of this suite. */
export const outsiderDefects: readonly Defect[] = [
  ...tabled(CREATES, ALWAYS, NAMES),
  ...tabled(HOOKS, ALWAYS, {
    "stored-though-key-used": [
      "CREATE-NO-EFFECT",
      "another body under a used key is refused and stored",
      () => storedThough,
    ],
  }),
  ...tabled(ACCOUNTS, ALWAYS, {
    "unique-when-short": [
      "UNIQUE-REJECTED",
      "references of more than 32 characters are not compared",
      () => () => ({ sameReference: (same, _ctx, { sent }) => same && String(sent).length <= 32 }),
    ],
  }),
  ...tabled(CHANGED_HOOK, ALWAYS, {
    "same-address-refused": [
      "UPDATE-ACCEPTED",
      "an update must change the url",
      (where) =>
        refuse(where, "conflict", { at: "body.url", rule: "unique", message: "the same" }, (ctx) => {
          const record = ctx.service.store.get("webhook", ctx.params.id ?? "");
          return record !== undefined && record.data.url === ctx.body.url;
        }),
    ],
    "new-address-switches-off": [
      "UPDATE-KEEPS",
      "another url makes a webhook inactive",
      () =>
        changed(CHANGED_HOOK, ({ url }, { body }, { data }) =>
          url !== data.url && body.isActive === undefined ? { isActive: false } : {},
        ),
    ],
    "addresses-never-emptied": [
      ["UPDATE-ECHO", "UPDATE-STORED"],
      "an empty list of alert addresses is ignored",
      () =>
        changed(CHANGED_HOOK, (_data, { body }, { data }) =>
          Array.isArray(body.alertEmails) && body.alertEmails.length === 0
            ? { alertEmails: data.alertEmails ?? [] }
            : {},
        ),
    ],
  }),
  ...tabled(CHANGED_CODE, ALWAYS, {
    "switched-off-is-cancelled": [
      "UPDATE-KEEPS",
      "a code that is made inactive is cancelled",
      () =>
        changed(CHANGED_CODE, (_data, { body }) => (body.isActive === false ? { status: "cancelled" } : {})),
    ],
  }),
  ...tabled(WITHOUT_REQUIRED, ALWAYS, {
    "nothing-empties": [
      "UPDATE-KEEPS",
      "an update without fields empties the metadata",
      (where) =>
        changed(where, (_data, { body }) => (Object.keys(body).length === 0 ? { metadata: {} } : {})),
    ],
  }),
  ...tabled(CODES, ALWAYS, {
    "status-needs-size": [
      ["LIST-LIMIT-DEFAULT", "FILTER-SOUND"],
      "status is ignored where no limit is sent",
      () => passing("status", sizeless),
    ],
    "mode-beside-another": [
      "FILTER-SOUND",
      "mode is ignored beside another filter",
      () => passing("mode", (ctx) => asked(ctx) > 1),
    ],
    "code-beside-another": [
      "FILTER-SOUND",
      "ussd_code is ignored beside another filter",
      () => passing("ussd_code", (ctx) => asked(ctx) > 1),
    ],
  }),
];
