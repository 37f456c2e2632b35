import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { CREATES, isAt, moveLimit } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { canonical } from "../../json.ts";
import { Rejected, rejectionOf } from "../../problems.ts";
import { ACCOUNT, isOlderVersion, overlookWhen, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const form = { row: 65, level: "MUST" } as const;
const replay = { requirement: "KEY-REPLAY", row: 66, level: "MUST" } as const;
const other = { requirement: "KEY-OTHER-BODY", row: 67, level: "SHOULD" } as const;
const distinct = { requirement: "KEY-DISTINCT", row: 68, level: "MUST" } as const;
const KEY = "header.Idempotency-Key";

/** Keeps keys under another index: made of what `parts` gives instead of space, operation and key. */
function indexedBy(where: typeof CREATES, parts: (ctx: Context) => readonly unknown[]): Hooks {
  return { keyIndex: (index, ctx) => (isAt(ctx, where) ? JSON.stringify(parts(ctx)) : index) };
}

/** Remembers the latest key only. */
function latestOnly(): Hooks {
  let latest = "";
  const nameOf = ({ space, key }: Context) => `${space} ${key}`;
  return {
    keyEntry: (entry, ctx) => (isAt(ctx, ACCOUNT) && nameOf(ctx) !== latest ? undefined : entry),
    keyRemembered: (when, ctx) => {
      if (isAt(ctx, ACCOUNT)) latest = nameOf(ctx);
      return when;
    },
  };
}

/** Simultaneous calls with one key are all refused, the first one too. */
function allRefused(): Hooks {
  const underWay = new Set<string>();
  const disturbed = new Set<string>();
  const conflict = () =>
    new Rejected(
      rejectionOf("conflict", [{ at: KEY, rule: "unique", message: "this Idempotency-Key is in use" }]),
    );
  const nameOf = ({ space, operation, key }: Context) => `${space} ${operation} ${key}`;
  return {
    keyEntry: (entry, ctx) => {
      if (!isAt(ctx, CREATES) || !underWay.has(nameOf(ctx))) return entry;
      disturbed.add(nameOf(ctx));
      throw conflict();
    },
    keyRemembered: (when, ctx) => {
      if (isAt(ctx, CREATES)) underWay.add(nameOf(ctx));
      return when;
    },
    pause: async (point, ctx) => {
      if (point !== "checked" || !isAt(ctx, CREATES)) return;
      await wait(25);
      underWay.delete(nameOf(ctx));
      if (disturbed.delete(nameOf(ctx))) throw conflict();
    },
  };
}

/** Defects of idempotency keys (rows 65 to 68). */
export const keyDefects: readonly Defect[] = [
  {
    ...form,
    name: "key-optional-for-accounts",
    description: "Financial accounts are created without an Idempotency-Key.",
    requirement: "KEY-MISSING",
    operations: ACCOUNT,
    hooks: overlookWhen(ACCOUNT, { at: KEY, rule: "required" }, ({ request }) => {
      return request.headers["idempotency-key"] === undefined;
    }),
  },
  {
    ...form,
    name: "key-optional-under-older-version",
    description: "Under caph.2025-06-20 webhooks are created without an Idempotency-Key.",
    requirement: "KEY-MISSING",
    operations: WEBHOOK,
    hooks: overlookWhen(WEBHOOK, { at: KEY, rule: "required" }, (ctx) => {
      return isOlderVersion(ctx) && ctx.request.headers["idempotency-key"] === undefined;
    }),
  },
  {
    ...form,
    name: "empty-key-taken",
    description: "An empty Idempotency-Key is taken for a key.",
    requirement: "KEY-EMPTY",
    operations: CREATES,
    hooks: overlookWhen(CREATES, { at: KEY, rule: "required" }, ({ request }) => {
      return request.headers["idempotency-key"] === "";
    }),
  },
  {
    name: "webhook-key-of-64-refused",
    description: "An Idempotency-Key for a webhook may have 63 characters only.",
    requirement: "CREATE-EDGES",
    row: 60,
    level: "MUST",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: KEY, rule: "maxLength" }, () => 63),
  },
  {
    ...form,
    name: "key-of-65-taken",
    description: "An Idempotency-Key may have 65 characters.",
    requirement: "KEY-TOO-LONG",
    operations: ACCOUNT,
    hooks: moveLimit(ACCOUNT, { at: KEY, rule: "maxLength" }, (limit) => limit + 1),
  },
  {
    ...form,
    name: "webhook-key-of-any-length",
    description: "An Idempotency-Key for a webhook may have 255 characters.",
    requirement: "KEY-TOO-LONG",
    operations: WEBHOOK,
    hooks: moveLimit(WEBHOOK, { at: KEY, rule: "maxLength" }, () => 255),
  },
  {
    ...replay,
    name: "account-key-never-remembered",
    description: "An Idempotency-Key is required for a financial account and has no effect.",
    alsoBreaks: ["KEY-PARALLEL", "KEY-OTHER-BODY"],
    operations: ACCOUNT,
    hooks: { keyRemembered: (when, ctx) => (isAt(ctx, ACCOUNT) ? "never" : when) },
  },
  {
    ...replay,
    name: "webhook-key-not-remembered-under-older-version",
    description: "Under caph.2025-06-20 an Idempotency-Key for a webhook has no effect.",
    alsoBreaks: ["KEY-PARALLEL", "KEY-OTHER-BODY"],
    operations: WEBHOOK,
    hooks: { keyRemembered: (when, ctx) => (isAt(ctx, WEBHOOK) && isOlderVersion(ctx) ? "never" : when) },
  },
  {
    ...replay,
    name: "replay-makes-a-second-webhook-unseen",
    description: "A replay answers with the first webhook and makes a second one all the same.",
    operations: WEBHOOK,
    hooks: {
      keyReplay: (result, ctx) => {
        const { store } = ctx.service;
        const first = typeof result.id === "string" ? store.get("webhook", result.id) : undefined;
        if (first && isAt(ctx, WEBHOOK)) store.add({ ...first, id: ctx.service.newId("whk") });
        return result;
      },
    },
  },
  {
    ...replay,
    name: "replay-under-a-new-id",
    alsoBreaks: ["ACCOUNT-NUMBER-UNIQUE"],
    description: "A replay answers with the first financial account under an id of its own.",
    operations: ACCOUNT,
    hooks: {
      keyReplay: (result, ctx) => (isAt(ctx, ACCOUNT) ? { ...result, id: ctx.service.newId("fac") } : result),
    },
  },
  {
    ...replay,
    name: "latest-key-remembered-only",
    alsoBreaks: ["KEY-OTHER-BODY"],
    description: "Of the Idempotency-Keys for financial accounts only the latest is remembered.",
    operations: ACCOUNT,
    hooks: latestOnly,
  },
  {
    name: "simultaneous-calls-all-refused",
    description: "Of simultaneous calls with one Idempotency-Key none succeeds.",
    requirement: "KEY-ONE-SUCCEEDS",
    row: 66,
    level: "SHOULD",
    operations: CREATES,
    hooks: allRefused,
  },
  {
    ...other,
    name: "other-body-gets-the-first-answer",
    description: "A used Idempotency-Key gives the first webhook whatever the body says.",
    operations: WEBHOOK,
    hooks: { keyFingerprint: (fingerprint, ctx) => (isAt(ctx, WEBHOOK) ? "" : fingerprint) },
  },
  {
    ...other,
    name: "other-body-makes-another-account",
    description: "A used Idempotency-Key with another body makes another financial account.",
    operations: ACCOUNT,
    hooks: indexedBy(ACCOUNT, ({ space, key, body }) => [space, "account", key, canonical(body)]),
  },
  {
    ...other,
    name: "bodies-compared-by-name",
    description: "Bodies under the same Idempotency-Key are compared by their name only.",
    operations: ACCOUNT,
    hooks: {
      keyFingerprint: (fingerprint, ctx) =>
        isAt(ctx, ACCOUNT) ? canonical(ctx.body.name ?? null) : fingerprint,
    },
  },
  {
    ...distinct,
    name: "key-cut-at-63",
    description: "Idempotency-Keys that differ in their 64th character only are the same.",
    operations: CREATES,
    hooks: indexedBy(CREATES, ({ space, operation, key }) => [space, operation, key.slice(0, 63)]),
  },
  {
    ...distinct,
    name: "key-without-hyphens",
    description: "Hyphens in Idempotency-Keys do not count.",
    operations: WEBHOOK,
    hooks: indexedBy(WEBHOOK, ({ space, key }) => [space, "webhook", key.replaceAll("-", "")]),
  },
  {
    ...distinct,
    name: "equal-bodies-make-one-webhook",
    alsoBreaks: ["KEY-OTHER-BODY"],
    description: "Webhooks with equal bodies are taken for repetitions, whatever their Idempotency-Keys.",
    operations: WEBHOOK,
    hooks: indexedBy(WEBHOOK, ({ space, body }) => [space, "webhook", canonical(body)]),
  },
  {
    name: "webhook-keys-shared-by-spaces",
    description: "An Idempotency-Key of one space gives its webhook in another space too.",
    requirement: "ISOLATION-KEYS",
    row: 24,
    level: "MUST",
    operations: WEBHOOK,
    hooks: indexedBy(WEBHOOK, ({ key }) => ["webhook", key]),
  },
  {
    name: "account-keys-shared-by-spaces",
    description: "An Idempotency-Key of one space gives its financial account in another, whatever the body.",
    requirement: "ISOLATION-KEYS",
    row: 24,
    level: "MUST",
    alsoBreaks: ["KEY-OTHER-BODY"],
    operations: ACCOUNT,
    hooks: {
      ...indexedBy(ACCOUNT, ({ key }) => ["account", key]),
      keyFingerprint: (fingerprint, ctx) => (isAt(ctx, ACCOUNT) ? "" : fingerprint),
    },
  },
];
