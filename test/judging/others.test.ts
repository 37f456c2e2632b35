/**
 * Recorded traffic may lack requests. An answer that an unrecorded request may explain is no violation.
 * Reports of traffic show no secrets and no personal data.
 */

import { describe, expect, test } from "vitest";
import { publicText } from "../../client/sending/public-text.ts";
import { exchangeOfLine } from "../../history/foreign/ndjson.ts";
import { resultOf } from "../../runner/judging/found.ts";
import { OthersTraffic } from "../../runner/judging/others.ts";
import { TrafficRedaction } from "../../runner/judging/traffic-redaction.ts";
import type { JsonObject } from "../../spec/json.ts";
import { isTurn } from "../commit-seed.ts";
import { HistoryBuilder } from "../history/builder.ts";
import { ownChecks, ownSpec } from "../prove/run.ts";
import { samples } from "../spec/samples.ts";
import { judgedAsOthers, lineOf, recordedRunOn, violatedBy, violatedIn } from "./traffic.ts";

const spec = ownSpec();
const HOOK = { url: "https://hooks.example.com/a", events: ["payout.updated"] };
const EMPTY = {
  success: true,
  messages: [],
  result: [],
  pagination: { next: null, previous: null, count: 0, total: 0 },
};
const MADE = { ...HOOK, name: "a", isActive: true, alertEmails: [], metadata: {} };

/** Judges a built history as a gateway would record it. `change` alters each recorded line. */
function judged(past: HistoryBuilder, { isWhole = false, change = (line: JsonObject) => line } = {}) {
  return judgedInParts([past], { isWhole, change });
}

function judgedInParts(
  parts: readonly HistoryBuilder[],
  { isWhole = false, change = (line: JsonObject) => line } = {},
) {
  const recorded = parts.map((past) => recordedLines(past, change));
  const traffic = new OthersTraffic(spec, ownChecks(), new TrafficRedaction(spec, spec.title, false), {
    paths: "as-shown",
    consistencyTimeoutMs: 0,
    isWhole,
  });
  for (const lines of recorded) traffic.judge(lines.map(exchangeOfLine));
  return traffic.found;
}

function recordedLines(past: HistoryBuilder, change: (line: JsonObject) => JsonObject): string[] {
  return past.entries.map((entry) => {
    const line = JSON.parse(lineOf(entry)) as JsonObject & { request: JsonObject };
    const id = Object.values(entry.path)[0] ?? "";
    const query = new URLSearchParams(entry.request.query).toString();
    const path = `${entry.operation?.path.replace(/\{\w+\}/, id)}${query && `?${query}`}`;
    line.request.url = `https://pay.example.com${path}`;
    line.request.headers = {
      ...(line.request.headers as JsonObject),
      "service-space-id": entry.space,
      "content-type": "application/json",
      authorization: "Bearer tok-1234567890abcdef",
    };
    return JSON.stringify(change(line));
  });
}

type Judged = ReturnType<typeof judged>;
const requirements = (found: Judged) => [
  ...new Set(found.filter(({ violated }) => violated > 0).flatMap(({ check }) => check.requirements)),
];
const suspicions = (found: Judged) => [
  ...new Set(found.filter(({ suspicion }) => suspicion).flatMap(({ check }) => check.requirements)),
];

describe("two answers about one resource", () => {
  const past = () =>
    new HistoryBuilder(spec)
      .creates("w1", MADE, { key: "k1" })
      .updates("w1", { events: ["payment.created"] }, { ...MADE, events: ["payment.created"] })
      .waits(10_000)
      .reads("w1", { ...MADE, name: "another", events: ["payment.created"] });

  test("may differ by somebody else's update", () => {
    const found = judged(past());
    expect(requirements(found)).not.toContain("UPDATE-KEEPS");
    expect(suspicions(found)).toContain("UPDATE-KEEPS");
    const results = found.map((each) => resultOf(each, spec));
    expect(results.find(({ reason }) => reason === "uncertain")?.message).toMatch(
      /^expected .*, got .*; somebody else may have written in between$/,
    );
  });

  test("may differ in one part of the traffic, though those in another part agree", () => {
    const events = ["payment.created"];
    const agreeing = new HistoryBuilder(spec)
      .creates("w2", MADE, { key: "k2" })
      .updates("w2", { events }, { ...MADE, events })
      .reads("w2", { ...MADE, events });
    const found = judgedInParts([agreeing, past()]);
    const results = found.map((each) => resultOf(each, spec));
    const ofName = results.find(({ id }) => id === "updates/UPDATE-KEEPS PATCH /webhooks/{id} name");
    expect(ofName).toMatchObject({ outcome: "skip", reason: "uncertain" });
  });

  test("must agree on the time of the creation, whoever writes", () => {
    const shown = { ...MADE, createTime: "2026-01-01T10:00:00Z" };
    const again = (createTime: string) =>
      new HistoryBuilder(spec)
        .creates("w1", MADE, { key: "k1", shown })
        .reads("w1", shown)
        .updates("w1", { name: "b" }, { ...shown, name: "b" })
        .waits(10_000)
        .reads("w1", { ...shown, name: "b", createTime });
    expect(requirements(judged(again("2026-01-02T10:00:00Z")))).toContain("UPDATE-IDENTITY");
    expect(requirements(judged(again(shown.createTime)))).not.toContain("UPDATE-IDENTITY");
  });

  test("must agree if nobody else wrote", () => {
    expect(requirements(judged(past(), { isWhole: true }))).toContain("UPDATE-KEEPS");
  });
});

describe("a page size that is rejected", () => {
  const asks = (past: HistoryBuilder, size: string, status: number) =>
    past.answers("GET /webhooks", status === 200 ? EMPTY : {}, { query: [["limit", size]], status });
  const past = () => asks(asks(new HistoryBuilder(spec), "10", 200), "50", 400);

  test("is only suspected if it happens once", () => {
    const found = judged(asks(past(), "10", 200), { isWhole: true });
    expect(requirements(found)).toEqual([]);
    expect(suspicions(found)).toContain("LIST-LIMIT-ACCEPTED");
  });

  test("is a violation if it is rejected again, and others are accepted in between and after it", () => {
    const again = () => asks(asks(past(), "10", 200), "50", 400);
    expect(requirements(judged(asks(again(), "10", 200), { isWhole: true }))).toContain(
      "LIST-LIMIT-ACCEPTED",
    );
    expect(requirements(judged(again(), { isWhole: true }))).toEqual([]);
    expect(requirements(judged(asks(again(), "10", 200)))).toEqual([]);
  });
});

describe("a text that a list shows twice", () => {
  const NAME = "hook-4711-of-the-night";
  const past = (before: (past: HistoryBuilder) => HistoryBuilder) =>
    before(new HistoryBuilder(spec))
      .creates("w1", { ...MADE, name: NAME }, { key: "k1" })
      .creates("w1", { ...MADE, name: NAME }, { key: "k1" })
      .lists([
        { ...MADE, id: "w1", name: NAME },
        { ...MADE, id: "w2", name: NAME },
      ]);

  test("shows that a key made two resources, if the list was empty before", () => {
    const found = judged(
      past((builder) => builder.lists([])),
      { isWhole: true },
    );
    expect(requirements(found)).toContain("KEY-REPLAY");
  });

  test("may be older than the recording if nobody read the list before", () => {
    expect(
      requirements(
        judged(
          past((builder) => builder),
          { isWhole: true },
        ),
      ),
    ).not.toContain("KEY-REPLAY");
  });
});

test("an answer that does not show what its own request sent is a violation, whoever writes", () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", MADE, { key: "k1" })
    .updates("w1", { name: "b" }, { ...MADE, name: "B" });
  expect(requirements(judged(past))).toContain("UPDATE-ECHO");
});

describe("two resources for one key", () => {
  const past = () =>
    new HistoryBuilder(spec).creates("w1", MADE, { key: "k1" }).creates("w2", MADE, { key: "k1" });

  test("are a violation, whoever writes", () => {
    expect(requirements(judged(past()))).toContain("KEY-REPLAY");
  });

  test("are no violation if the key is masked, since two keys may look alike", () => {
    const change = (line: JsonObject) => {
      const { request } = line as { request: { headers: JsonObject } };
      request.headers["idempotency-key"] = "****";
      return line;
    };
    expect(requirements(judged(past(), { change }))).toEqual([]);
  });

  test("are no violation if ids are masked", () => {
    const change = (line: JsonObject) =>
      JSON.parse(
        JSON.stringify(line).replaceAll(/\\"id\\":\\"w\d\\"/g, '\\"id\\":\\"[redacted]\\"'),
      ) as JsonObject;
    expect(requirements(judged(past(), { change }))).toEqual([]);
  });
});

test("a rejection may have a reason that nobody recorded", () => {
  const past = new HistoryBuilder(spec, {
    create: "createWebhook",
    update: "updatePaymentCode",
    read: "getPaymentCode",
    list: "listPaymentCodes",
  })
    .reads("c1", { name: "a" })
    .updates("c1", { name: "b" }, { name: "b" })
    .reads("c1", {}, { status: 404 })
    .reads("c1", {}, { status: 404 });
  expect(requirements(judged(past))).not.toContain("READ-ACCEPTED");
});

test("exchanges that were recorded twice count once", () => {
  const past = new HistoryBuilder(spec).creates("w1", MADE, { key: "k1" });
  const [entry] = past.entries;
  if (!entry) throw new Error("one entry was built");
  past.entries.push({ ...entry });
  const found = judged(past).filter(({ check }) => check.requirements.includes("CREATE-ECHO"));
  expect(Math.max(...found.map(({ held }) => held))).toBe(1);
});

test.runIf(isTurn(0, 2))("findings show no recorded token, secret or personal data", async () => {
  const run = await recordedRunOn({ defects: ["lower-cased@webhook-update.url"] }, 3, {
    only: ["UPDATE-ECHO", "AUTH-ALTERED-TOKEN"],
  });
  const { token, fixtures } = run.settings;
  const person = "Ngozi.Okafor@acme.cm";
  const lines = run.lines.map((line) =>
    line
      .replaceAll("payments.on-call@example.com", person)
      .replace('"headers":{', '"headers":{"x-api-key":"key-987654321",'),
  );
  const text = lines.join("\n");
  for (const secret of [token, person, "key-987654321"]) expect(text).toContain(secret);
  const found = judgedAsOthers({ ...run, lines }, false);
  expect(violatedIn(found).size).toBeGreaterThan(0);
  const shown = JSON.stringify(found.map((each) => resultOf(each, spec)));
  for (const secret of [token, token.slice(0, -2), person, "key-987654321", sentSecret(lines)])
    expect(shown).not.toContain(secret);
  expect(publicText(spec, run.settings)).toContain(Object.values(fixtures)[0]);
});

test("a header may have been sent if the recorder left out all headers", () => {
  const past = new HistoryBuilder(spec).lists([]);
  const headers = (left: boolean) => (line: JsonObject) => ({
    ...line,
    request: { ...(line.request as JsonObject), headers: left ? undefined : { accept: "*/*" } },
    response: { ...(line.response as JsonObject), body: EMPTY },
  });
  expect(requirements(judged(past, { change: headers(true) }))).toEqual([]);
  expect(requirements(judged(past, { change: headers(false) }))).toContain("SPACE-MISSING");
});

test("findings show no secret in an undocumented field", () => {
  const past = new HistoryBuilder(spec).creates("w1", MADE, { key: "k1" });
  const found = judged(past, {
    change: (line) => ({
      ...line,
      request: { ...(line.request as JsonObject), body: { ...MADE, secret: "sent-whole-12345" } },
      response: {
        ...(line.response as JsonObject),
        status: 201,
        body: { success: true, result: { id: "w1", signingSecret: "shown-whole-12345" } },
      },
    }),
  });
  const text = JSON.stringify(found.map((each) => resultOf(each, spec)));
  expect(text).toContain("signingSecret");
  for (const secret of ["sent-whole-12345", "shown-whole-12345"]) expect(text).not.toContain(secret);
});

test("findings show no secret in a URL, a form or a header that has a URL", () => {
  const past = new HistoryBuilder(spec).creates("w1", MADE, { key: "k1" });
  const url = "https://user:basic-part-12345@acme.cm/x?a=1&access_token=in-a-url-12345&b=2#c";
  const found = judged(past, {
    change: (line) => ({
      ...line,
      request: { ...(line.request as JsonObject), body: { ...MADE, url } },
      response: {
        ...(line.response as JsonObject),
        status: 201,
        headers: {
          "content-type": "application/json",
          location: "https://acme.cm/y?Signature=in-a-header-12345",
        },
        body: {
          success: true,
          result: { id: "w1", form: "password=in-a-form-12345&a=1&amp;api_key=escaped-12345" },
        },
      },
    }),
  });
  const text = JSON.stringify(found.map((each) => resultOf(each, spec)));
  for (const other of ["a=1", "b=2", "acme.cm/y"]) expect(text).toContain(other);
  for (const place of ["part", "a-url", "a-header", "a-form", "escaped"])
    expect(text).not.toContain(`${place}-12345`);
});

test.each([
  ["a version", { "x-token-version": "caph.2025-08-23", "service-version": "caph.2025-08-23" }],
  ["a field", { "x-signature-method": "hmac256" }],
  ["a mode", { "x-session-mode": samples.PaymentCode.mode }],
  ["a number", { "x-session-size": "1000" }],
  ["a time", { "x-token-time": samples.PaymentCode.createTime }],
  ["a word as a credential", { authorization: `Bearer ${samples.PaymentCode.mode}` }],
])("%s is no secret, whatever its header is named", (_, headers) => {
  const amount = { currency: "XAF", value: 1_000 };
  const shown = { success: true, messages: [], result: { ...samples.PaymentCode, amount } };
  const method = { hmac256: { secret: "a-long-secret-5f1c9a" } };
  const past = new HistoryBuilder(spec)
    .creates("w1", { ...MADE, verificationMethod: method }, { key: "k1" })
    .answers("GET /payment-codes/{id}", shown, { path: "pyc_1" });
  const named = (line: JsonObject) => {
    const request = line.request as JsonObject;
    return { ...line, request: { ...request, headers: { ...(request.headers as JsonObject), ...headers } } };
  };
  const found = judged(past, { change: named });
  expect(requirements(found)).toEqual([]);
});

test("a short secret is hidden under its name", () => {
  const past = new HistoryBuilder(spec).lists([]);
  const found = judged(past, {
    change: (line) => ({
      ...line,
      request: { ...(line.request as JsonObject), headers: { "x-session-pin": "471100" } },
      response: { ...(line.response as JsonObject), status: 201 },
    }),
  });
  expect(requirements(found)).toContain("STATUS-200");
  const text = JSON.stringify(found.map((each) => resultOf(each, spec)));
  expect(text).toContain("x-session-pin");
  expect(text).not.toContain("471100");
});

test("findings show no secret of a body that is cut or no JSON", () => {
  const past = new HistoryBuilder(spec).creates("w1", MADE, { key: "k1" });
  const sent = '{"name":"a","verificationMethod":{"hmac256":{"secret":"sent-whole-12345"}},"metadata":***}';
  const shown = '{"success":true,"result":{"id":"w1","hmac256":{"secret":"shown-in-par';
  const found = judged(past, {
    change: (line) => ({
      ...line,
      request: { ...(line.request as JsonObject), body: sent },
      response: { ...(line.response as JsonObject), status: 201, body: shown, cut: true },
    }),
  });
  expect(requirements(found)).toEqual(["STATUS-200"]);
  const text = JSON.stringify(found.map((each) => resultOf(each, spec)));
  expect(text).toContain("hmac256");
  for (const secret of ["sent-whole-12345", "shown-in-par"]) expect(text).not.toContain(secret);
});

/** Returns a webhook's secret that one of the recorded requests sent. */
function sentSecret(lines: string[]): string {
  const [, secret] = /\\"secret\\":\\"([^*\\"]{16,})\\"/.exec(lines.join("\n")) ?? [];
  if (secret === undefined) throw new Error("no request holds a secret");
  return secret;
}

describe("the traffic of a run, judged without knowing which check sent what,", () => {
  test.runIf(isTurn(1, 2))("shows the violations that the run finds", async () => {
    const run = await recordedRunOn({ defects: ["count-one-more@webhooks"] }, 1, { only: ["* /webhooks*"] });
    expect([...violatedBy(run.results)]).toContain("LIST-COUNT GET /webhooks");
    const judgedPlaces = violatedIn(judgedAsOthers(run, false));
    expect([...judgedPlaces]).toContain("LIST-COUNT GET /webhooks");
    expect([...judgedPlaces].filter((place) => !violatedBy(run.results).has(place))).toEqual([]);
  });

  test.runIf(isTurn(0, 2))("shows no violation of a sound service", async () => {
    const run = await recordedRunOn({ variant: "updates-are-merge-patches" }, 1);
    const [part, whole] = [false, true].map((isWhole) => judgedAsOthers(run, isWhole));
    for (const found of [part, whole]) expect([...violatedIn(found ?? [])]).toEqual([]);
    expect(part?.filter(({ held }) => held > 0).length).toBeGreaterThan(200);
    expect(whole?.filter(({ held }) => held > 0).length).toBeGreaterThan(200);
  });
});
