import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { bodyEdges } from "../../../suites/bodies/edges.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const HOOKS = "POST /webhooks";
const checks = bodyEdges(spec);
const valid = { name: "pc-test-1", url: "https://example.com/pc-test", events: null };
const full = { ...valid, isActive: false, metadata: { a: "b" } };
const long = { ...full, name: "a".repeat(100) };
const NAME = `CREATE-EDGES ${HOOKS} body/name maxLength 100 characters`;

function judge(past: HistoryBuilder, name: string, head = HEAD): RuleResult {
  const check = checks.find(({ id }) => id === `bodies/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, head, past.entries));
}

let keys = 0;
const key = () => `key-${keys++}`;
const history = () => new HistoryBuilder(spec).creates("w1", full, { key: key() });
const refused = (past: HistoryBuilder, sent: JsonObject, more: { version?: string; body?: unknown } = {}) =>
  past.answers(HOOKS, more.body ?? { error: "no" }, { status: 400, key: key(), ...more, sent });
const later = (past: HistoryBuilder, sent: JsonObject = full) => past.creates("w9", sent, { key: key() });

describe("a value at the edge of a rule", () => {
  test("keeps the rule if a body with it is accepted and shown, whatever else is in it", () => {
    const past = history().creates("w2", { ...long, alertEmails: [] }, { key: key() });
    expect(judge(past, NAME)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(history(), NAME)).toMatchObject({ reason: "no-data" });
    const nothing = history().answers(HOOKS, { success: true, messages: [], result: {} }, { sent: long });
    expect(judge(nothing, NAME)).toMatchObject({ outcome: "not-exercised" });
  });

  test("keeps the rule as well if the client sent the request again with its key, because no answer came", () => {
    const first = () => history().answers(HOOKS, "", { status: 503, key: "key-again", sent: long });
    const again = first().creates("w2", long, { key: "key-again", repeats: true });
    expect(judge(again, NAME)).toMatchObject({ outcome: "held", times: 1 });
    const reused = first().creates("w2", long, { key: "key-again" });
    expect(judge(reused, NAME)).toMatchObject({ outcome: "not-exercised" });
  });

  test("is violated if it is rejected alone, and others are accepted before and after", () => {
    expect(judge(later(refused(history(), long)), NAME)).toMatchObject({
      violations: [{ certainty: "suspected", expected: "name of 100 characters to be accepted" }],
    });
    expect(judge(refused(history(), long), NAME)).toMatchObject({ reason: "declined" });
  });

  test("is violated as well if the client sent the rejected request again, with its key", () => {
    const again = { status: 409, key: "key-again", sent: long };
    const past = history()
      .answers(HOOKS, {}, again)
      .answers(HOOKS, {}, { ...again, repeats: true });
    expect(judge(later(past), NAME)).toMatchObject({ outcome: "violated" });
    const reused = history().answers(HOOKS, {}, again).answers(HOOKS, {}, again);
    expect(judge(later(reused), NAME)).toMatchObject({
      violations: [{ shownBy: [{ entry: { index: 1 } }] }],
    });
  });

  test("is not blamed if another part of the body may be the reason", () => {
    const both = { ...long, alertEmails: [] };
    expect(judge(later(refused(history(), both)), NAME)).toMatchObject({ reason: "control-rejected" });
    const odd = { ...long, metadata: { note: "💸" } };
    expect(judge(later(refused(history(), odd)), NAME)).toMatchObject({ reason: "control-rejected" });
    const proven = later(refused(history(), both), { ...full, alertEmails: [] });
    expect(judge(proven, NAME)).toMatchObject({ outcome: "violated" });
  });

  test("is blamed under an accepted version, and not under a rejected one", () => {
    const under = { version: "caph.2025-06-20" };
    expect(judge(later(refused(history(), long, under)), NAME)).toMatchObject({ reason: "control-rejected" });
    const accepted = later(refused(history(), long, under)).creates("w2", full, { key: key(), ...under });
    expect(judge(accepted, NAME)).toMatchObject({ outcome: "violated" });
  });

  test("is not blamed for the rejection of a firewall", () => {
    const page = refused(refused(history(), { ...full, name: 7 }), long, { body: "<html>" });
    expect(judge(later(page), NAME)).toMatchObject({ reason: "declined" });
  });

  test("that needs more names than are known is blamed only if a shorter list with a name twice is accepted", () => {
    const name = `CREATE-EDGES ${HOOKS} body/events maxItems 100 elements`;
    const one = { ...full, events: ["payment.created"] };
    const many = { ...full, events: Array.from({ length: 100 }, () => "payment.created") };
    const past = () => later(refused(later(history(), one), many));
    expect(judge(past(), name)).toMatchObject({ reason: "declined" });
    const twice = { ...full, events: ["payment.created", "payment.created"] };
    expect(judge(past().creates("w5", twice, { key: key() }), name)).toMatchObject({ outcome: "violated" });
  });
});

describe("an update at the edge of a rule", () => {
  const name = "UPDATE-NULL-ACCEPTED PATCH /webhooks/{id} body/events null";
  const plain = { name: "b", url: valid.url, events: ["payment.created"] };

  test("is violated if it is rejected, unless it was sent beside another update", () => {
    const past = history()
      .updates("w1", plain)
      .rejects("w1", { ...plain, events: null });
    expect(judge(past, name)).toMatchObject({ outcome: "violated" });
    const raced = history().updates("w1", plain);
    raced.rejects("w1", { ...plain, events: null }, { beside: true });
    expect(judge(raced, name)).toMatchObject({ reason: "declined" });
  });

  test("may be rejected as long as other updates of the resource are accepted", () => {
    const sent = { ...plain, events: null };
    const sentAgain = (between: (past: HistoryBuilder) => HistoryBuilder) => {
      const past = between(history().updates("w1", plain).rejects("w1", sent, { status: 409 }));
      past.rejects("w1", sent, { status: 409 });
      const [first, last] = past.entries.filter(
        ({ response }) => response && "status" in response && response.status === 409,
      );
      if (first && last) last.repeats = first.index;
      return past;
    };
    expect(
      judge(
        sentAgain((past) => past.updates("w1", plain)),
        name,
      ),
    ).toMatchObject({ reason: "declined" });
    expect(
      judge(
        sentAgain((past) => past),
        name,
      ),
    ).toMatchObject({ outcome: "violated" });
  });

  test("may not be found as long as a copy may not have the new resource", () => {
    const found = (waited: number) => {
      const past = history().updates("w1", plain).creates("w9", plain, { key: key() }).waits(waited);
      return judge(past.rejects("w9", { ...plain, events: null }, { status: 404 }), name);
    };
    expect(found(0)).toMatchObject({ reason: "declined" });
    expect(found(HEAD.consistencyTimeoutMs)).toMatchObject({ outcome: "violated" });
  });
});

describe("a body with few or all fields", () => {
  test.each([
    ["minimal", valid],
    ["full", full],
  ])("%s: is violated if it is rejected, and others under its version are accepted", (extent, sent) => {
    const other = extent === "full" ? valid : full;
    const past = () => refused(new HistoryBuilder(spec).creates("w1", other, { key: key() }), sent);
    const name = `CREATE-ACCEPTED ${HOOKS} ${extent}`;
    expect(judge(later(past(), other), name)).toMatchObject({ outcome: "violated" });
    expect(judge(past(), name)).toMatchObject({ reason: "declined" });
    const alone = refused(new HistoryBuilder(spec), sent);
    expect(judge(alone, name)).toMatchObject({ reason: "declined" });
    const given = { ...HEAD, fixtures: { webhookUrl: valid.url } };
    expect(judge(alone, name, given)).toMatchObject({ outcome: "violated" });
  });

  test("is held by the first of simultaneous calls with one key", () => {
    const some = { ...valid, isActive: false };
    const past = new HistoryBuilder(spec).creates("w1", full, { key: key() });
    past.creates("w2", some, { key: "burst" }).creates("w2", some, { key: "burst", beside: true });
    expect(judge(past, `CREATE-ACCEPTED ${HOOKS} some`)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("proves nothing with values that were never accepted", () => {
    const past = refused(new HistoryBuilder(spec), { ...valid, events: ["made.up"] });
    expect(judge(past, `CREATE-ACCEPTED ${HOOKS} minimal`)).toMatchObject({ reason: "declined" });
  });
});

test("a value is not to blame for the rejection of an action that one resource takes only once", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const workshop = loadSpec(file("test/editions/workshop/openapi.yaml"), file("spec/requirements.yaml"));
  const MOVE = "POST /jobs/{job}/move";
  type Call = [job: string, bench: string, status: number];
  function outcome(...calls: Call[]): string | undefined {
    const past = new HistoryBuilder(workshop);
    const headers = (): [string, string][] => [
      ["once", `key-${past.entries.length}`],
      ["x-client", "suite"],
    ];
    for (const no of [1, 2])
      past.answers(
        "POST /jobs",
        { result: { no, title: "a" } },
        { sent: { title: "a" }, sentHeaders: headers() },
      );
    for (const [job, bench, status] of calls)
      past.answers(
        MOVE,
        { result: { no: Number(job), title: "a", bench } },
        { path: job, sent: { bench }, status, sentHeaders: headers() },
      );
    const check = bodyEdges(workshop).find(
      ({ id }) => id === `bodies/CREATE-EDGES ${MOVE} body/bench value 2`,
    );
    return check?.verdict(new History(workshop, HEAD, past.entries)).outcome;
  }
  const first: Call = ["1", "b1", 200];
  const again: Call[] = [
    ["1", "b2", 409],
    ["2", "b1", 200],
  ];
  expect(outcome(first, ...again)).toBe("not-exercised");
  expect(outcome(first, first, ...again)).toBe("violated");
});

test("the minimal body has what one of several alternatives requires", () => {
  const document = documentCopy();
  const content = objectAt(document, "paths", "/webhooks", "post", "requestBody", "content");
  const { schema } = objectAt(content, "application/json");
  const anyOf = [{ required: ["metadata"] }, { required: ["alertEmails"] }];
  objectAt(content, "application/json").schema = { type: "object", allOf: [schema, { anyOf }] };
  const edition = specOf(document);
  const check = bodyEdges(edition).find(({ id }) => id === `bodies/CREATE-ACCEPTED ${HOOKS} minimal`);
  const judged = (sent: JsonObject) => {
    const past = new HistoryBuilder(edition).creates("w1", full, { key: key() });
    return check?.verdict(new History(edition, HEAD, past.creates("w2", sent, { key: key() }).entries));
  };
  expect(judged({ ...valid, metadata: {} })).toMatchObject({ outcome: "held", times: 1 });
  expect(judged({ ...valid, metadata: {}, alertEmails: [] })).toMatchObject({ outcome: "not-exercised" });
});
