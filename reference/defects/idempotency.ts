import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../context.ts";
import { CREATES, moveLimit } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { canonical, type JsonObject } from "../json.ts";
import type { Kind } from "../store.ts";
import { crashInstead, overlookWhen } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { across, type Cases, type Fault } from "./tools/operator.ts";

const KEY = "header.Idempotency-Key";
const versions: Cases = () => [undefined, ...VERSION_CHOICES];
const sentKey = ({ request }: Context) => request.headers["idempotency-key"];

/** Keeps keys under another spelling. */
const spelled = (spelling: (key: string, ctx: Context) => string) => (): Hooks => ({
  keyIndex: (_index, ctx) => JSON.stringify([ctx.space, ctx.operation, spelling(ctx.key, ctx)]),
  // Another body under the "same" key would be refused: that would be a different fault.
  keyFingerprint: () => "",
});

function recordOf(ctx: Context, result: JsonObject) {
  const kind: Kind = ctx.operation === "POST /webhooks" ? "webhook" : "financialAccount";
  return typeof result.id === "string" ? ctx.service.store.get(kind, result.id) : undefined;
}

/** Remembers the latest key only. */
function latestOnly(): Hooks {
  let latest = "";
  return {
    keyEntry: (entry, ctx) => (ctx.key !== latest ? undefined : entry),
    keyRemembered: (when, ctx) => {
      latest = ctx.key;
      return when;
    },
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "key-optional": {
    breaks: ["KEY-MISSING"],
    does: "the key may be left out",
    hooks: (where) => overlookWhen(where, { at: KEY, rule: "required" }, (ctx) => sentKey(ctx) === undefined),
  },
  "key-empty-taken": {
    breaks: ["KEY-EMPTY"],
    does: "an empty key is taken",
    hooks: (where) => overlookWhen(where, { at: KEY, rule: "required" }, (ctx) => sentKey(ctx) === ""),
  },
  "key-65-taken": {
    breaks: ["KEY-TOO-LONG"],
    does: "a key may have 65 characters",
    hooks: (where) => moveLimit(where, { at: KEY, rule: "maxLength" }, () => 65),
  },
  "key-any-length": {
    breaks: ["KEY-TOO-LONG"],
    does: "a key may have any length",
    hooks: (where) => moveLimit(where, { at: KEY, rule: "maxLength" }, () => 1e6),
  },
  "key-64-refused": {
    breaks: ["CREATE-EDGES"],
    does: "a key may have 63 characters only",
    hooks: (where) => moveLimit(where, { at: KEY, rule: "maxLength" }, () => 63),
  },
  "key-above-36-refused": {
    breaks: ["CREATE-EDGES"],
    does: "a key may have 36 characters only",
    hooks: (where) => moveLimit(where, { at: KEY, rule: "maxLength" }, () => 36),
  },
  "key-crashes-when-long": {
    breaks: ["NO-SERVER-ERROR"],
    does: "a key that is too long is answered with 500",
    hooks: (where) => crashInstead(where, ({ at, rule }) => at === KEY && rule === "maxLength"),
  },
  "key-crashes-when-missing": {
    breaks: ["NO-SERVER-ERROR"],
    does: "a missing key is answered with 500",
    hooks: (where) => crashInstead(where, ({ at, rule }) => at === KEY && rule === "required"),
  },
  "key-ignored": {
    breaks: ["KEY-REPLAY"],
    does: "a key has no effect",
    hooks: () => ({ keyRemembered: () => "never" }),
  },
  "key-latest-only": {
    breaks: ["KEY-REPLAY"],
    does: "of all keys only the latest is remembered",
    hooks: () => latestOnly,
  },
  "key-race": {
    breaks: ["KEY-PARALLEL"],
    does: "a key is remembered only once its create is done",
    hooks: () => ({
      keyRemembered: () => "after-write",
      pause: (point) => (point === "checked" ? wait(25) : undefined),
    }),
  },
  "key-makes-second-unseen": {
    breaks: ["KEY-REPLAY"],
    does: "a replay answers with the first resource and makes a second",
    hooks: () => ({
      keyReplay: (result, ctx) => {
        const first = recordOf(ctx, result);
        if (first) ctx.service.store.add({ ...first, id: ctx.service.newId("copy") });
        return result;
      },
    }),
    equivalent: {
      "POST /v1/financial-accounts":
        "Nothing that is shown lists financial accounts; where the named list does, KEY-REPLAY may use it.",
    },
  },
  "key-replays-new-id": {
    breaks: ["KEY-REPLAY"],
    does: "a replay shows the first resource under another id",
    hooks: () => ({ keyReplay: (result, ctx) => ({ ...result, id: ctx.service.newId("copy") }) }),
  },
  "key-other-body-replayed": {
    breaks: ["KEY-OTHER-BODY"],
    does: "a used key gives the first resource whatever the body",
    hooks: () => ({ keyFingerprint: () => "" }),
  },
  "key-other-body-makes-another": {
    breaks: ["KEY-OTHER-BODY"],
    does: "a used key with another body makes another resource",
    hooks: () => ({ keyIndex: (index, ctx) => index + canonical(ctx.body) }),
  },
  "key-compares-names": {
    breaks: ["KEY-OTHER-BODY"],
    does: "bodies under a key are compared by their name only",
    hooks: () => ({ keyFingerprint: (_print, ctx) => canonical(ctx.body.name ?? null) }),
  },
  "key-cut-at-63": {
    breaks: ["KEY-DISTINCT"],
    does: "keys that differ in their last character only are the same",
    hooks: spelled((key) => key.slice(0, 63)),
  },
  "key-cut-at-32": {
    breaks: ["KEY-DISTINCT"],
    does: "keys that differ behind 32 characters only are the same",
    hooks: spelled((key) => key.slice(0, 32)),
  },
  "key-lower-cased": {
    breaks: ["KEY-DISTINCT"],
    does: "keys that differ in case only are the same",
    hooks: spelled((key) => key.toLowerCase()),
  },
  "key-without-hyphens": {
    breaks: ["KEY-DISTINCT"],
    does: "keys that differ in hyphens only are the same",
    hooks: spelled((key) => key.replaceAll("-", "")),
  },
  "key-without-first": {
    breaks: ["KEY-DISTINCT"],
    does: "keys that differ in their first character only are the same",
    hooks: spelled((key) => key.slice(1)),
  },
  "key-is-body": {
    breaks: ["KEY-DISTINCT"],
    does: "equal bodies make one resource, whatever their keys",
    hooks: () => ({
      keyIndex: (_index, ctx) => JSON.stringify([ctx.space, ctx.operation, canonical(ctx.body)]),
    }),
  },
};

/** Simultaneous calls with one key are all refused, the first one too. */
function allRefused(): Hooks {
  const calls = new Map<string, number>();
  return {
    keyEntry: (entry, { key }) => {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return entry;
    },
    pause: (point) => (point === "checked" ? wait(25) : undefined),
    response: (response, { key }) =>
      (calls.get(key) ?? 0) > 1 && response.status === 200 ? { ...response, status: 409 } : response,
  };
}

/** Idempotency keys (rows 65 to 68). */
export const idempotencyDefects: readonly Defect[] = [
  ...Object.entries(FAULTS).flatMap(([name, fault]) => across(name, CREATES, versions, fault)),
  ...across("key-burst-refused", CREATES, versions, {
    breaks: ["KEY-ONE-SUCCEEDS"],
    does: "of simultaneous calls with one key none succeeds",
    hooks: () => allRefused,
  }),
];
