/**
 * Traffic that others recorded becomes a history. Parts that the recorder masked, cut off or omitted are no
 * evidence.
 */

import { describe, expect, test } from "vitest";
import { type Entry, overlaps, responseJson } from "../../history/entry.ts";
import { type ForeignOptions, ForeignTraffic } from "../../history/foreign/entries.ts";
import { readHar } from "../../history/foreign/har.ts";
import { exchangeOfLine } from "../../history/foreign/ndjson.ts";
import { History } from "../../history/history.ts";
import type { JsonObject } from "../../spec/json.ts";
import { spec } from "../spec/package-spec.ts";

const BASE = "https://pay.example.com/api";
const LIST = {
  success: true,
  messages: [],
  result: [],
  pagination: { next: null, previous: null, count: 0, total: 0 },
};

/** A line of traffic: an accepted GET of the banks, with changes. */
function line(change: JsonObject = {}, request: JsonObject = {}, response: JsonObject = {}): string {
  return JSON.stringify({
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 10,
    request: { method: "GET", url: `${BASE}/banks`, headers: { authorization: "Bearer abc" }, ...request },
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(LIST),
      ...response,
    },
    ...change,
  });
}

function entriesOf(lines: string[], options: Partial<ForeignOptions> = {}): Entry[] {
  const traffic = new ForeignTraffic(spec, { paths: "as-shown", consistencyTimeoutMs: 0, ...options });
  return traffic.history(lines.map(exchangeOfLine)).entries;
}

const only = (lines: string[], options?: Partial<ForeignOptions>): Entry => {
  const [entry] = entriesOf(lines, options);
  if (!entry) throw new Error("there is no entry");
  return entry;
};

describe("an operation is found", () => {
  test("below the address that most requests have, or that the user names", () => {
    const lines = [
      line(),
      line({ startedAt: "2026-01-01T00:00:01.000Z" }),
      line({ startedAt: "2026-01-01T00:00:02.000Z" }, { url: "https://other.example.com/banks" }),
    ];
    expect(entriesOf(lines).map(({ request }) => request.url)).toEqual([`${BASE}/banks`, `${BASE}/banks`]);
    expect(entriesOf(lines, { baseUrl: "https://other.example.com/" })).toHaveLength(1);
  });

  test("by its path, with the decoded value of its parameter", () => {
    const entry = only([line({}, { url: `${BASE}/banks/a%20b?x=1` })]);
    expect([entry.operation?.key, entry.path, entry.request.query]).toEqual([
      "GET /banks/{idOrCode}",
      { idOrCode: "a b" },
      [["x", "1"]],
    ]);
  });

  test("by the host, if a log has paths alone", () => {
    const entry = only([line({}, { url: "/api/banks", headers: { host: "pay.example.com" } })]);
    expect([entry.operation?.key, entry.request.url]).toEqual([
      "GET /banks",
      "http://pay.example.com/api/banks",
    ]);
  });

  test.each([
    ["a condition", { "if-none-match": '"1"' }],
    ["a range", { range: "bytes=0-1" }],
    ["another type", { accept: "text/html" }],
    ["a masked version", { "service-version": "***" }],
    ["two values of one header", { "service-version": ["caph.2025-06-20", "caph.2025-08-23"] }],
  ])("except for a request with %s", (_, headers) => {
    expect(only([line(), line({ durationMs: 5 }, { headers })]).operation?.key).toBeUndefined();
  });

  test("except for a masked id", () => {
    const url = `${BASE}/banks/****`;
    expect(entriesOf([line(), line({}, { url })]).map(({ operation }) => operation?.key)).toEqual([
      "GET /banks",
      undefined,
    ]);
  });
});

describe("a body is no evidence", () => {
  const bodyOf = (response: JsonObject) => {
    const entry = only([line({}, {}, response)]);
    return [responseJson(entry), "body" in entry.response && entry.response.body.cut];
  };

  test.each([
    ["if it was not recorded", { body: undefined }],
    ["if the recorder says that it is cut", { cut: true }],
    ["if its end is missing", { body: JSON.stringify(LIST).slice(0, -5) }],
    ["if it is shorter than its headers say", { body: "{", headers: { "content-length": "100" } }],
    ["if it is masked as a whole", { body: "[REDACTED]" }],
    ["if it is left out as a whole", { body: "<omitted>" }],
    ["if a mask in it makes it no JSON", { body: '{"success":true,"result":[{"name":***}]}' }],
    ["if values are masked", { body: JSON.stringify({ ...LIST, result: [{ id: "****", name: "A" }] }) }],
    ["if it is nested too deep", { body: `{"result":${"[".repeat(20_000)}${"]".repeat(20_000)}}` }],
  ])("%s", (_, response) => expect(bodyOf(response)).toEqual([undefined, true]));

  test("if it is recorded as JSON that is nested too deep", () => {
    const deep = line().replace(/"body":".*"/, `"body":${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    expect(entriesOf([deep])[0]?.response).toMatchObject({ status: 200, body: { text: "", cut: true } });
  });

  test("unless it is recorded whole: as text, as JSON or in base64", () => {
    expect(bodyOf({})).toEqual([LIST, false]);
    expect(bodyOf({ body: LIST })).toEqual([LIST, false]);
    const bodyBase64 = Buffer.from(JSON.stringify(LIST)).toString("base64");
    expect(bodyOf({ body: undefined, bodyBase64 })).toEqual([LIST, false]);
  });

  test("unless the values are masked that the service itself may mask", () => {
    const otp = { ...LIST, result: [{ id: "o1", authorizedPhoneNumber: "2376****12" }] };
    const lines = (shown: JsonObject) => [line({}, { url: `${BASE}/v1/ussd-otps` }, { body: shown })];
    expect(responseJson(only(lines(otp)))).toEqual(otp);
    const masked = { ...LIST, result: [{ id: "o1", metadata: { note: "****" } }] };
    expect(responseJson(only(lines(masked)))).toBeUndefined();
  });

  test("unless it is as long as its headers say, so that the service cut it", () => {
    const text = JSON.stringify(LIST).slice(0, -5);
    const headers = { "content-length": String(text.length) };
    expect(bodyOf({ body: text, headers })).toEqual([undefined, false]);
    expect(bodyOf({ body: text, headers: { ...headers, "content-encoding": "gzip" } })).toEqual([
      undefined,
      true,
    ]);
  });

  test("except a text that was no JSON at all", () => {
    expect(bodyOf({ body: "<html>" })).toEqual([undefined, false]);
  });
});

describe("the order is known", () => {
  const at = (startedAt: string, durationMs?: number) => line({ startedAt, durationMs });
  const pair = (one: string, other: string) => {
    const [first, second] = entriesOf([one, other]);
    return first && second ? overlaps(first, second) : undefined;
  };

  test("only as far as the clock tells", () => {
    expect(pair(at("2026-01-01T00:00:00.000Z", 10), at("2026-01-01T00:00:00.011Z", 10))).toBe(true);
    expect(pair(at("2026-01-01T00:00:00.000Z", 10), at("2026-01-01T00:00:00.012Z", 10))).toBe(false);
    expect(pair(at("2026-01-01T00:00:00Z", 10), at("2026-01-01T00:00:01Z", 10))).toBe(true);
    expect(pair(at("2026-01-01T00:00:00Z", 10), at("2026-01-01T00:00:02Z", 10))).toBe(false);
  });

  test("except if nobody knows how long an exchange took", () => {
    expect(pair(at("2026-01-01T00:00:00.000Z"), at("2026-01-01T00:00:05.000Z", 10))).toBe(true);
  });

  test("whatever the order of the lines", () => {
    const lines = [3, 1, 2].map((second) => at(`2026-01-01T00:00:0${second}.000Z`, 10));
    expect(entriesOf(lines).map(({ startedAt }) => new Date(startedAt).getUTCSeconds())).toEqual([1, 2, 3]);
  });

  test("if a request uses a cursor of an answer, even if the clock leaves it open", () => {
    const cursor = "cursor-0123456789";
    const page = { ...LIST, pagination: { ...LIST.pagination, next: cursor } };
    const first = line({ durationMs: 10 }, { url: `${BASE}/webhooks` }, { body: page });
    const next = (after: string) =>
      line({ startedAt: "2026-01-01T00:00:00.010Z" }, { url: `${BASE}/webhooks?after=${after}` });
    expect(pair(first, next(cursor))).toBe(false);
    expect(pair(first, next("cursor-of-another-1"))).toBe(true);
  });

  test("a request that is sent again after an error repeats it", () => {
    const failed = line({}, {}, { status: 500 });
    const again = line({ startedAt: "2026-01-01T00:00:05.000Z" });
    expect(entriesOf([failed, again]).map(({ repeats }) => repeats)).toEqual([undefined, 0]);
    expect(entriesOf([line(), again]).map(({ repeats }) => repeats)).toEqual([undefined, undefined]);
  });
});

describe("a credential", () => {
  const kinds = (lines: string[]) => entriesOf(lines).map(({ credential }) => credential);

  test("is known by a request that was accepted with it", () => {
    expect(
      kinds([
        line({}, { headers: { authorization: "bearer abc" } }),
        line({ durationMs: 20 }, { headers: { authorization: "Bearer xyz" } }, { status: 401 }),
        line({ durationMs: 30 }, { headers: {} }, { status: 401 }),
        line({ durationMs: 40 }, { headers: { authorization: "Basic abc" } }, { status: 401 }),
      ]),
    ).toEqual([
      { kind: "token", token: "token 1" },
      { kind: "unknown", token: null },
      { kind: "none", token: null },
      { kind: "other-scheme", token: null },
    ]);
  });

  test("is altered if it resembles an accepted one and is mostly refused, although one call accepts it", () => {
    const token = "tok-1234567890abcdef";
    const used = (authorization: string, status: number, durationMs: number) =>
      line({ durationMs }, { headers: { authorization } }, { status });
    const altered = `Bearer ${token.toUpperCase()}`;
    const lines = [
      used(`Bearer ${token}`, 200, 1),
      used(`Bearer ${token}`, 200, 2),
      ...[3, 4, 5].map((at) => used(altered, 401, at)),
      used(altered, 200, 6),
      used(token, 200, 7),
      // A valid token of another user, which is one character longer.
      ...[8, 9].map((at) => used(`Bearer ${token}1`, 200, at)),
    ];
    expect(kinds(lines).map(({ kind }) => kind)).toEqual([
      ...["token", "token", "altered", "altered", "altered", "altered", "bare", "token", "token"],
    ]);
  });

  test("is taken for a good one if the recorder shows none", () => {
    const masked = ["[redacted]", "Bearer ***", "Bearer abc..."].map((authorization, index) =>
      line({ durationMs: index }, { headers: { authorization } }),
    );
    const left = [line({}, { headers: {} }), line({ durationMs: 9 }, { headers: undefined })];
    const good = { kind: "token", token: "token 1" };
    expect(kinds(masked)).toEqual(Array(3).fill(good));
    expect(kinds(left)).toEqual(Array(2).fill(good));
  });

  test("is missing in a request without the header if the recorder masks it in others", () => {
    const lines = [
      line({}, { headers: { authorization: "[redacted]" } }),
      line({ durationMs: 9 }, { headers: {} }, { status: 401 }),
    ];
    expect(kinds(lines).map(({ kind }) => kind)).toEqual(["none", "token"]);
  });

  test("that is masked may be wrong, so a 401 to it is not judged", () => {
    const answered = (status: number) =>
      entriesOf([line({}, { headers: { authorization: "Bearer ***" } }, { status })])[0]?.operation?.kind;
    expect([200, 401, 403].map(answered)).toEqual(["list", undefined, undefined]);
  });
});

test("a space counts if requests in it are accepted more often than refused", () => {
  const inSpace = (space: string, status: number, durationMs: number) =>
    line({ durationMs }, { url: `${BASE}/webhooks`, headers: { "service-space-id": space } }, { status });
  const lines = [
    inSpace("spc-a", 200, 1),
    inSpace("spc-b", 200, 2),
    ...[3, 4].map((at) => inSpace("spc-b", 403, at)),
  ];
  const traffic = new ForeignTraffic(spec, { paths: "as-shown", consistencyTimeoutMs: 0 });
  expect(traffic.history(lines.map(exchangeOfLine)).head.spaces).toEqual(["spc-a"]);
});

test("headers that are ignored are gone, and their absence shows nothing", () => {
  const entry = only([line()], { ignored: ["content-type", "authorization"] });
  expect(entry.response).toMatchObject({ headers: [], isPartial: true });
  expect(entry.credential.kind).toBe("token");
});

test("an answer to a condition or a range is no evidence if the request's headers may be missing", () => {
  const operationOf = (status: number, headers: JsonObject | undefined, ignored: string[] = []) =>
    only([line({}, { headers }, { status })], { baseUrl: BASE, ignored }).operation;
  const recorded = { authorization: "Bearer abc" };
  for (const status of [206, 304]) {
    expect(operationOf(status, undefined)).toBeNull();
    expect(operationOf(status, recorded, ["if-none-match"])).toBeNull();
    expect(operationOf(status, recorded)).not.toBeNull();
  }
  expect(operationOf(200, undefined)).not.toBeNull();
});

describe("HAR", () => {
  const entry = (change: JsonObject = {}) => ({
    startedDateTime: "2026-01-01T00:00:00.000+01:00",
    time: 12.5,
    request: {
      method: "GET",
      url: `${BASE}/banks`,
      headers: [
        { name: ":path", value: "/api/banks" },
        { name: "Authorization", value: "Bearer abc" },
      ],
      bodySize: 0,
    },
    response: {
      status: 200,
      headers: [{ name: "Content-Type", value: "application/json" }],
      content: { size: 2, mimeType: "application/json", text: "{}" },
    },
    ...change,
  });
  const har = (...entries: unknown[]) => JSON.stringify({ log: { version: "1.2", entries } });

  test("is read as it was recorded", () => {
    const { exchanges, problems } = readHar(har(entry()));
    expect(problems).toEqual([]);
    expect(exchanges).toEqual([
      {
        startedAt: Date.parse("2025-12-31T23:00:00Z"),
        durationMs: 12.5,
        resolutionMs: 1,
        request: {
          method: "GET",
          url: `${BASE}/banks`,
          headers: [["authorization", "Bearer abc"]],
          body: null,
        },
        response: {
          status: 200,
          headers: [["content-type", "application/json"]],
          body: { text: "{}", cut: false },
        },
      },
    ]);
  });

  test("is read without headers if it has pseudo-headers alone", () => {
    const { request, response } = entry();
    const { exchanges } = readHar(
      har(
        entry({
          request: { ...request, headers: [{ name: ":path", value: "/api/banks" }] },
          response: { ...response, headers: [{ name: ":status", value: "200" }] },
        }),
      ),
    );
    expect(exchanges[0]?.request.headers).toBeNull();
    expect(exchanges[0]?.response?.headers).toEqual([["content-type", "application/json"]]);
  });

  test("is read without answers from a cache", () => {
    expect(readHar(har(entry({ _fromCache: "disk" }), entry())).exchanges).toHaveLength(1);
  });

  test("is read with bodies in base64, bodies that are cut and missing bodies", () => {
    const content = (change: JsonObject) =>
      entry({ response: { status: 200, headers: [], content: change } });
    const { exchanges } = readHar(
      har(
        content({ size: 2, text: "e30=", encoding: "base64" }),
        content({ size: 5, text: "{}" }),
        content({ size: 5 }),
        content({ size: 1, text: "/w==", encoding: "base64" }),
      ),
    );
    expect(exchanges.map(({ response }) => response?.body)).toEqual([
      { text: "{}", cut: false },
      { text: "{}", cut: true },
      { text: "", cut: true },
      { text: "\uFFFD", cut: false, unreadable: "not-utf-8" },
    ]);
  });

  test("is read up to the place where it is cut off, which is named", () => {
    const text = JSON.stringify({ log: { entries: [entry(), entry()] } }, null, 1);
    const { exchanges, problems } = readHar(text.slice(0, text.lastIndexOf('"startedDateTime"') + 5));
    expect(exchanges).toHaveLength(1);
    expect(problems[0]).toMatch(/^line \d+, column 5: the file ends here, before its JSON is complete$/);
    expect(problems[1]).toMatch(/^\/log\/entries\/1: it is cut off or damaged, and was left out$/);
  });

  test("is read without an entry that is cut off, wherever that is", () => {
    const text = har(entry(), entry());
    const second = text.lastIndexOf('{"startedDateTime"');
    const end = text.length - "]}}".length;
    for (let length = second + 1; length < end; length++)
      expect(readHar(text.slice(0, length)).exchanges, text.slice(second, length)).toHaveLength(1);
    expect(readHar(text.slice(0, end)).exchanges).toHaveLength(2);
  });

  test("numbers its entries as in the file, also after one that is damaged", () => {
    const damaged = JSON.stringify(entry()).replace('"startedDateTime":', '"startedDateTime"');
    const text = `{"log":{"entries":[\n${JSON.stringify(entry())},\n${damaged},\n5]}}`;
    const { exchanges, problems } = readHar(text);
    expect(exchanges).toHaveLength(1);
    expect(problems).toEqual([
      "line 3, column 19: the JSON is damaged here",
      "/log/entries/1: it is cut off or damaged, and was left out",
      "/log/entries/2: it is no object",
    ]);
  });

  test("is refused if it is no HAR file", () => {
    expect(() => readHar("{}")).toThrow("it is no HAR: /log/entries is missing");
    expect(() => readHar("\u0000\u0001")).toThrow("it is no HAR");
    expect(() => readHar(`{"log":{"entries":[${"[".repeat(100_000)}`)).toThrow(
      "it is damaged, and nested too deep",
    );
  });
});

describe("a line is refused that is no exchange:", () => {
  test.each([
    ["{", "it is no JSON"],
    ["{}", "it must have required property 'startedAt'"],
    [line({ startedAt: "yesterday-ish" }), "/startedAt is no time"],
    [line({ startedAt: 1_767_225_600_000_000_000 }), "/startedAt is no time"],
    [line({}, { method: 5 }), "/request/method must be string"],
    [line({}, {}, { status: 0 }), "/response/status must be >= 100"],
  ])("%#", (text, message) => expect(() => exchangeOfLine(text)).toThrow(message));
});

describe("a header that a service requires", () => {
  const WEBHOOKS = { url: `${BASE}/webhooks` };
  const body = { name: "a", url: "https://a.example/x", events: ["one"] };
  const answer = { body: JSON.stringify({ ...LIST, result: { ...body, id: "w1" }, pagination: undefined }) };
  const recorded = { authorization: "Bearer abc", "content-type": "application/json" };
  const space = { "service-space-id": "spc-1" };
  const brokenBy = (request: JsonObject, options?: Partial<ForeignOptions>, response?: JsonObject) => {
    const traffic = new ForeignTraffic(spec, { paths: "as-shown", consistencyTimeoutMs: 0, ...options });
    const { head, entries } = traffic.history([exchangeOfLine(line({}, request, response))]);
    const [entry] = entries;
    const found = entry && new History(spec, head, entries).answers.classification(entry);
    return found && "faults" in found ? found.faults.map(({ requirement }) => requirement) : [];
  };
  const create = (headers: JsonObject | undefined, ignored: string[] = []) =>
    brokenBy({ ...WEBHOOKS, method: "POST", headers, body }, { ignored }, answer);

  test("is missing if the recorder shows the others", () => {
    expect(brokenBy({ ...WEBHOOKS, headers: recorded })).toEqual(["SPACE-MISSING"]);
    expect(create({ ...recorded, ...space })).toEqual(["KEY-MISSING"]);
  });

  test("may have been sent if the recorder left out all headers", () => {
    expect(brokenBy({ ...WEBHOOKS, headers: undefined })).toEqual([]);
    expect(create(undefined)).toEqual([]);
  });

  test("may have been sent if the user says so", () => {
    expect(create({ ...recorded, ...space }, ["idempotency-key"])).toEqual([]);
    expect(create(recorded, ["service-space-id", "idempotency-key"])).toEqual([]);
  });
});
