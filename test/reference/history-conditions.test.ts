/**
 * Conditions of defects on earlier requests. Each holds after the calls that its name says, and not after
 * others.
 */
import { describe, expect, test } from "vitest";
import type { IncomingRequest } from "../../reference/context.ts";
import { dispatch } from "../../reference/dispatch.ts";
import { CREATE_CONDITIONS, KEY_CONDITIONS } from "../../reference/history/create-conditions.ts";
import { recording } from "../../reference/history/journal.ts";
import type { HistoryCondition } from "../../reference/history/past.ts";
import {
  LIST_CONDITIONS,
  READ_CONDITIONS,
  REFUSAL_CONDITIONS,
} from "../../reference/history/read-conditions.ts";
import { UPDATE_CONDITIONS } from "../../reference/history/update-conditions.ts";
import type { JsonObject } from "../../reference/json.ts";
import { ACCESS, prepare } from "../../reference/start.ts";
import { together } from "../../reference/write-hook-tools.ts";

const OLDER = { "service-version": "caph.2025-06-20" };
const NEWER = { "service-version": "caph.2025-08-23" };
const OTHER_SPACE = { "service-space-id": ACCESS.secondSpace };
const OUTSIDER = { authorization: "Bearer nobody" };
const URL = "https://example.com/a";

/**
 * A call: method and path, additional headers, and a body. Parts of the path in braces stand for ids of the
 * service.
 */
interface Call {
  readonly call: string;
  readonly headers?: Record<string, string>;
  readonly body?: JsonObject;
  readonly connection?: object;
}

/** Sends the calls one after the other. Returns true if the condition holds for the last one. */
async function holds(condition: HistoryCondition, calls: readonly Call[]): Promise<boolean> {
  let held = false;
  const probe = together(
    {
      response: (response, ctx) => {
        held = condition.holds(ctx);
        return response;
      },
    },
    recording(),
  );
  const { service, fixtures } = prepare({}, { name: "probe", description: "", why: "", hooks: probe });
  const ids: Record<string, string> = {
    code: fixtures.mutablePaymentCode ?? "",
    other: fixtures.paymentCode ?? "",
    webhook: service.store.all("webhook")[0]?.id ?? "",
    "other-webhook": service.store.all("webhook")[1]?.id ?? "",
  };
  let made = "";
  for (const { call, headers = {}, body, connection } of calls) {
    const [method = "", target = ""] = call
      .replace(/\{([a-z-]+)\}/g, (_all, name: string) => (name === "made" ? made : (ids[name] ?? "")))
      .split(" ");
    const [path = "", query = ""] = target.split("?");
    const request: IncomingRequest = {
      method,
      path,
      query,
      headers: {
        authorization: `Bearer ${ACCESS.token}`,
        "service-space-id": ACCESS.space,
        "content-type": "application/json",
        "idempotency-key": method === "POST" ? "key" : undefined,
        ...headers,
      },
      body: Buffer.from(JSON.stringify(body ?? {})),
      tooLarge: false,
      connection: connection ?? {},
    };
    const { status, body: answer } = await dispatch(service, request);
    if (method === "POST" && status === 200)
      made = (JSON.parse(String(answer)) as { result: { id: string } }).result.id;
  }
  return held;
}

const code = (body: JsonObject, headers = {}): Call => ({
  call: "PATCH /payment-codes/{code}",
  body,
  headers,
});
const hook = (body: JsonObject, headers = {}, id = "webhook"): Call => ({
  call: `PATCH /webhooks/{${id}}`,
  body: { url: URL, ...body },
  headers,
});
const made = (body: JsonObject): Call => hook(body, {}, "made");
const create = (key: string, body: JsonObject = {}, headers = {}): Call => ({
  call: "POST /webhooks",
  body: { name: "A", url: URL, events: null, ...body },
  headers: { "idempotency-key": key, ...headers },
});
const account = (key: string, body: JsonObject = {}, headers = {}): Call => ({
  call: "POST /v1/financial-accounts",
  body: { name: "A", currency: "XAF", ...body },
  headers: { "idempotency-key": key, ...headers },
});
const read = (call: string, headers = {}): Call => ({ call: `GET ${call}`, headers });
const CODE = "/payment-codes/{code}";
const HOOKS = "/webhooks";
const socket = {};

type Example = readonly [holding: readonly Call[], other: readonly Call[]];

const a = code({ name: "a" });
const b = code({ name: "b" });
const UPDATES: Record<string, Example> = {
  second: [
    [hook({}), hook({})],
    [hook({}), hook({}), hook({})],
  ],
  "from-second": [[a, b], [a]],
  "from-third": [
    [a, b, a],
    [a, b],
  ],
  "every-second": [
    [a, b],
    [a, b, a],
  ],
  "after-refused": [
    [code({ name: 1 }), a],
    [code({ name: 1 }), a, b],
  ],
  "after-read": [
    [a, read(CODE), b],
    [a, read(CODE), b, a],
  ],
  "after-unread": [
    [a, b],
    [a, read(CODE), b],
  ],
  "after-other": [
    [hook({}), hook({}, {}, "other-webhook"), hook({})],
    [hook({}, {}, "other-webhook"), hook({})],
  ],
  "after-older": [
    [code({ name: "a" }, OLDER), b],
    [code({ name: "a" }, NEWER), b],
  ],
  "after-null": [
    [code({ name: null }), a],
    [code({ name: null }), a, b],
  ],
  "after-same": [
    [a, a, b],
    [a, b],
  ],
  "after-least": [
    [hook({}), hook({})],
    [hook({ name: "a" }), hook({})],
  ],
  "after-switch": [
    [code({ isActive: false }), code({ isActive: true }), a],
    [code({ isActive: true }), a],
  ],
  "after-replay": [
    [create("k"), create("k"), made({})],
    [create("k"), create("l"), made({})],
  ],
  "after-reuse": [
    [create("k"), create("k", { name: "B" }), made({})],
    [create("k"), made({})],
  ],
  "after-elsewhere": [
    [code({ name: "a" }, OTHER_SPACE), b],
    [a, b],
  ],
  "after-stranger": [
    [code({ name: "a" }, OUTSIDER), b],
    [a, b],
  ],
  "second-on-connection": [
    [
      { ...a, connection: socket },
      { ...b, connection: socket },
    ],
    [a, b],
  ],
};

const CREATES: Record<string, Example> = {
  "every-second": [
    [create("k"), create("l")],
    [create("k"), create("l"), create("m")],
  ],
  "after-refused": [
    [create("k", { name: 1 }), create("l")],
    [create("k"), create("l")],
  ],
  "after-duplicate": [
    [account("k", { reference: "r" }), account("l", { reference: "r" }), account("m")],
    [account("k", { reference: "r" }), account("l", { name: 1 }), account("m")],
  ],
  "after-replay": [
    [create("k"), create("k"), create("l")],
    [create("k"), create("l")],
  ],
  "after-update": [
    [hook({}), create("k")],
    [hook({}), create("k"), create("l")],
  ],
  "after-list": [
    [read(HOOKS), create("k")],
    [read("/banks?country=CM"), create("k")],
  ],
  "after-older": [
    [create("k", {}, OLDER), create("l")],
    [create("k"), create("l")],
  ],
  "after-null": [
    [create("k"), create("l")],
    [create("k", { events: ["a"] }), create("l")],
  ],
  "after-rich": [
    [create("k", { metadata: {} }), create("l")],
    [create("k"), create("l")],
  ],
  "after-other-kind": [
    [account("k"), create("l")],
    [account("k"), create("l"), create("m")],
  ],
  "after-elsewhere": [
    [create("k", {}, OTHER_SPACE), create("l")],
    [create("k"), create("l")],
  ],
  "after-stranger": [
    [create("k", {}, OUTSIDER), create("l")],
    [create("k"), create("l")],
  ],
  "second-on-connection": [
    [
      { ...create("k"), connection: socket },
      { ...create("l"), connection: socket },
    ],
    [create("k"), create("l")],
  ],
};

const again = create("k");
const KEYS: Record<string, Example> = {
  "after-update": [
    [again, made({}), again],
    [again, hook({}), again],
  ],
  "after-second-update": [
    [again, made({}), made({}), again],
    [again, made({}), again],
  ],
  "after-refused-update": [
    [again, made({ name: 1 }), again],
    [again, made({}), again],
  ],
  "after-list": [
    [again, read(`${HOOKS}?limit=1`), again],
    [again, read(`${HOOKS}?limit=1&after={made}`), again],
  ],
  "after-replay": [
    [again, again, again],
    [again, again],
  ],
  "after-reuse": [
    [again, create("k", { name: "B" }), again],
    [again, again],
  ],
  "after-invalid": [
    [again, create("k", { name: 1 }), again],
    [again, again],
  ],
  "after-other": [
    [again, create("l"), again],
    [create("l"), again, again],
  ],
  "after-refused": [
    [again, create("l", { name: 1 }), again],
    [again, create("l"), again],
  ],
  "after-older": [
    [create("k", {}, OLDER), again],
    [again, again],
  ],
  "after-elsewhere": [
    [again, create("k", {}, OTHER_SPACE), again],
    [again, again],
  ],
  "after-stranger": [
    [again, create("k", {}, OUTSIDER), again],
    [again, again],
  ],
  "second-on-connection": [
    [
      { ...again, connection: socket },
      { ...again, connection: socket },
    ],
    [again, again],
  ],
};

const list = read(HOOKS);
const codes = read("/v1/payment-codes");
const LISTS: Record<string, Example> = {
  "every-second": [
    [list, list],
    [list, list, list],
  ],
  "after-cursor": [
    [read(`${HOOKS}?after={webhook}`), list],
    [list, list],
  ],
  "after-filter": [
    [read("/v1/payment-codes?mode=recurrent"), codes],
    [codes, codes],
  ],
  "after-other-size": [
    [read(`${HOOKS}?limit=2`), list],
    [read(`${HOOKS}?limit=10`), list],
  ],
  "after-other-country": [
    [read("/banks?country=NG"), read("/banks?country=CM")],
    [read("/banks?country=CM"), read("/banks?country=CM")],
  ],
  "after-elsewhere": [
    [read(HOOKS, OTHER_SPACE), list],
    [list, list],
  ],
  "after-older": [
    [read(HOOKS, OLDER), list],
    [read(HOOKS, OLDER), list, list],
  ],
  "after-newer": [
    [read(HOOKS, NEWER), list],
    [read(HOOKS, NEWER), list, list],
  ],
  "after-refused": [
    [read(`${HOOKS}?limit=0`), list],
    [list, list],
  ],
  "after-stranger": [
    [read(HOOKS, OUTSIDER), list],
    [list, list],
  ],
  "after-write": [
    [hook({}), list],
    [hook({ name: 1 }), list],
  ],
  "after-refused-write": [
    [hook({ name: 1 }), list],
    [hook({}), list],
  ],
  "second-on-connection": [
    [
      { ...codes, connection: socket },
      { ...list, connection: socket },
    ],
    [codes, list],
  ],
};

const one = read(CODE);
const READS: Record<string, Example> = {
  "every-second": [
    [one, one],
    [one, one, one],
  ],
  "after-list": [
    [read("/v1/payment-codes?limit=50"), one],
    [one, one],
  ],
  "after-update": [
    [a, one],
    [one, one],
  ],
  "after-second-update": [
    [a, b, one],
    [a, one],
  ],
  "after-refused-update": [
    [code({ name: 1 }), one],
    [a, one],
  ],
  "after-other": [
    [read("/payment-codes/{other}"), one],
    [one, one],
  ],
  "after-unknown": [
    [read("/payment-codes/nobody"), one],
    [one, one],
  ],
  "after-older": [
    [read(CODE, OLDER), one],
    [read(CODE, OLDER), one, one],
  ],
  "after-elsewhere": [
    [read(CODE, OTHER_SPACE), one],
    [one, one],
  ],
  "after-stranger": [
    [read(CODE, OUTSIDER), one],
    [one, one],
  ],
  "second-on-connection": [
    [
      { ...one, connection: socket },
      { ...one, connection: socket },
    ],
    [one, one],
  ],
};

const outsider = read(CODE, OUTSIDER);
const REFUSALS: Record<string, Example> = {
  "asked-before": [
    [one, outsider],
    [outsider, outsider],
  ],
  "refused-before": [
    [outsider, outsider],
    [one, outsider],
  ],
  "kept-connection": [
    [
      { ...one, connection: socket },
      { ...outsider, connection: socket },
    ],
    [one, outsider],
  ],
};

describe.each([
  ["updates", UPDATE_CONDITIONS, UPDATES],
  ["creates", CREATE_CONDITIONS, CREATES],
  ["keys", KEY_CONDITIONS, KEYS],
  ["lists", LIST_CONDITIONS, LISTS],
  ["reads", READ_CONDITIONS, READS],
  ["refusals", REFUSAL_CONDITIONS, REFUSALS],
] as const)("a session of %s", (_kind, conditions, examples) => {
  test("has an example of each condition", () => {
    expect(Object.keys(examples)).toEqual(conditions.map(({ name }) => name));
  });

  test.each(conditions.map((condition) => [condition.name, condition] as const))(
    "%s",
    async (name, condition) => {
      const [holding = [], other = []] = examples[name] ?? [];
      expect([await holds(condition, holding), await holds(condition, other)]).toEqual([true, false]);
    },
  );
});
