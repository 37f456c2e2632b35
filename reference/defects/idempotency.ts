import { Socket } from "node:net";
import type { Context } from "../context.ts";
import { CREATES, moveLimit, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { canonical, type JsonObject } from "../json.ts";
import { ALWAYS, across, EVERY_VERSION, type Row, tabled } from "../operators/operator.ts";
import type { Kind } from "../store.ts";
import { hesitate, overlookWhen } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const KEY = "header.Idempotency-Key";
const sentKey = ({ request }: Context) => request.headers["idempotency-key"];

const taken = (isMeant: (key: string | undefined) => boolean) => (where: Where) =>
  overlookWhen(where, { at: KEY, rule: "required" }, (ctx) => isMeant(sentKey(ctx)));
const longest = (limit: number) => (where: Where) =>
  moveLimit(where, { at: KEY, rule: "maxLength" }, () => limit);
const always = (hooks: Hooks | (() => Hooks)) => () => hooks;

const spelled = (spelling: (key: string, ctx: Context) => string) =>
  always({
    keyIndex: (_index, ctx) => JSON.stringify([ctx.space, ctx.operation, spelling(ctx.key, ctx)]),
    // Otherwise another body would be rejected, which is another defect.
    keyFingerprint: () => "",
  });

function recordOf(ctx: Context, result: JsonObject) {
  const kind: Kind = ctx.operation === "POST /webhooks" ? "webhook" : "financialAccount";
  return typeof result.id === "string" ? ctx.service.store.get(kind, result.id) : undefined;
}

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

function allRefused(): Hooks {
  const calls = new Map<string, number>();
  return {
    keyEntry: (entry, { key }) => {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return entry;
    },
    pause: hesitate,
    response: (response, { key }) =>
      (calls.get(key) ?? 0) > 1 && response.status === 200 ? { ...response, status: 409 } : response,
  };
}

const secondUnseen: Hooks = {
  keyReplay: (result, ctx) => {
    const first = recordOf(ctx, result);
    if (first) ctx.service.store.add({ ...first, id: ctx.service.newId("copy") });
    return result;
  },
};
/** Forgets the key of a call whose client closed the connection before the answer. */
const lostWithAnswer: Hooks = {
  pause: hesitate,
  response: (response, { key, request, service }) => {
    const { connection } = request;
    const isClosed = connection instanceof Socket && connection.destroyed;
    const indexes = [...service.keys.keys()].filter((index) => index.includes(JSON.stringify(key)));
    if (isClosed && key !== "") for (const index of indexes) service.keys.delete(index);
    return response;
  },
};
const bodyIsKey: Hooks = {
  keyIndex: (_index, ctx) => JSON.stringify([ctx.space, ctx.operation, canonical(ctx.body)]),
};

const KEYS: Readonly<Record<string, Row>> = {
  "key-optional": ["KEY-MISSING", "the key may be left out", taken((key) => key === undefined)],
  "key-empty-taken": ["KEY-EMPTY", "an empty key is taken", taken((key) => key === "")],
  "key-65-taken": ["KEY-TOO-LONG", "a key may have 65 characters", longest(65)],
  "key-any-length": ["KEY-TOO-LONG", "a key may have any length", longest(1e6)],
  "key-64-refused": ["CREATE-EDGES", "a key may have 63 characters only", longest(63)],
  "key-above-36-refused": ["CREATE-EDGES", "a key may have 36 characters only", longest(36)],
  "key-ignored": ["KEY-REPLAY", "a key has no effect", always({ keyRemembered: () => "never" })],
  "key-latest-only": ["KEY-REPLAY", "of all keys only the latest is remembered", always(latestOnly)],
  "key-of-each-version": [
    "KEY-REPLAY",
    "the same key under another version makes another resource",
    always({ keyIndex: (index, { request }) => index + (request.headers["service-version"] ?? "none") }),
  ],
  "key-race": [
    "KEY-PARALLEL",
    "a key is remembered only once its create is done",
    always({ keyRemembered: () => "after-write", pause: hesitate }),
  ],
  "key-burst-refused": [
    "KEY-ONE-SUCCEEDS",
    "of simultaneous calls with one key none succeeds",
    always(allRefused),
  ],
  "key-replays-new-id": [
    "KEY-REPLAY",
    "a replay shows the first resource under another id",
    always({ keyReplay: (result, ctx) => ({ ...result, id: ctx.service.newId("copy") }) }),
  ],
  "key-other-body-replayed": [
    "KEY-OTHER-BODY",
    "a used key gives the first resource whatever the body",
    always({ keyFingerprint: () => "" }),
  ],
  "key-other-body-makes-another": [
    "KEY-OTHER-BODY",
    "a used key with another body makes another resource",
    always({ keyIndex: (index, ctx) => index + canonical(ctx.body) }),
  ],
  "key-compares-names": [
    "KEY-OTHER-BODY",
    "bodies under a key are compared by their name only",
    always({ keyFingerprint: (_print, ctx) => canonical(ctx.body.name ?? null) }),
  ],
  "key-cut-at-63": [
    "KEY-DISTINCT",
    "keys that differ in their last character only are the same",
    spelled((key) => key.slice(0, 63)),
  ],
  "key-cut-at-32": [
    "KEY-DISTINCT",
    "keys that differ behind 32 characters only are the same",
    spelled((key) => key.slice(0, 32)),
  ],
  "key-lower-cased": [
    "KEY-DISTINCT",
    "keys that differ in case only are the same",
    spelled((key) => key.toLowerCase()),
  ],
  "key-without-hyphens": [
    "KEY-DISTINCT",
    "keys that differ in hyphens only are the same",
    spelled((key) => key.replaceAll("-", "")),
  ],
  "key-without-first": [
    "KEY-DISTINCT",
    "keys that differ in their first character only are the same",
    spelled((key) => key.slice(1)),
  ],
  "key-is-body": ["KEY-DISTINCT", "equal bodies make one resource, whatever their keys", always(bodyIsKey)],
};

export const idempotencyDefects: readonly Defect[] = [
  ...tabled(CREATES, EVERY_VERSION, KEYS),
  ...across("no-key-but-done", CREATES, ALWAYS, {
    breaks: ["CREATE-NO-EFFECT"],
    does: "a call without a key is refused after it was carried out",
    hooks: always({ late: (late, _ctx, stage) => late || stage === "key" }),
  }),
  ...across("key-as-number", CREATES, ALWAYS, {
    breaks: ["KEY-DISTINCT"],
    does: "keys of digits that differ in a zero at the beginning only are the same",
    hooks: spelled((key) => (/^\d+$/.test(key) ? key.replace(/^0+/, "") : key)),
  }),
  ...across("key-makes-second-unseen", CREATES, EVERY_VERSION, {
    breaks: ["KEY-REPLAY"],
    does: "a replay answers with the first resource and makes a second",
    hooks: always(secondUnseen),
  }),
  // Only the list of webhooks is sure to show the second resource.
  ...across("key-lost-with-answer", ["POST /webhooks"], ALWAYS, {
    breaks: ["KEY-REPLAY"],
    does: "a call whose client hangs up is carried out, and its key is forgotten",
    hooks: always(lostWithAnswer),
  }),
];
