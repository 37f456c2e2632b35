import { describe, expect, test } from "vitest";
import type { Entry } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { accessRules } from "../../../suites/access/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";

const HOOKS = "GET /webhooks";
const CREATE = "POST /webhooks";
const NAMED = "GET /v1/financial-accounts";
const checks = accessRules(spec);
const hooks = listOf([samples.Webhook], 1);
const history = () => new HistoryBuilder(spec);
const sent = (kind: Entry["credential"]["kind"], status = 401, more = {}) => ({
  credential: { kind, token: null },
  status,
  ...more,
});

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `access/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

describe("a request without a token", () => {
  const name = `AUTH-MISSING ${HOOKS}`;

  test("keeps the rule if it is rejected after a valid one was accepted", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", sent("none"));
    expect(judge(past.answers(HOOKS, "", sent("empty-header", 400)), name)).toMatchObject({ times: 2 });
  });

  test("is a proven violation if its answer shows the list, and a suspected one otherwise", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, hooks, sent("empty-header", 200));
    expect(judge(past, name)).toMatchObject({
      violations: [
        { certainty: "proven", expected: `${HOOKS} with an empty Authorization to be rejected (4xx)` },
      ],
    });
    const bare = history().answers(HOOKS, hooks).answers(HOOKS, "", sent("none", 200));
    expect(judge(bare, name)).toMatchObject({ violations: [{ certainty: "suspected" }] });
    expect(judge(past, `AUTH-UNKNOWN-TOKEN ${HOOKS}`)).toMatchObject({ reason: "no-data" });
  });

  test("proves nothing if no valid request was accepted", () => {
    const past = history().answers(HOOKS, "", { status: 401 }).answers(HOOKS, "", sent("none"));
    expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
  });

  test("under a version without an accepted request proves something only if it is about access", () => {
    const past = history().answers(HOOKS, hooks);
    const older = { version: "caph.2025-06-20" };
    past.answers(HOOKS, "", sent("none", 400, older));
    expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
    expect(judge(past.answers(HOOKS, "", sent("none", 401, older)), name)).toMatchObject({ times: 1 });
  });

  test("proves nothing if it has another fault", () => {
    const past = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, hooks, sent("none", 200, { query: [["limit", "0"]] }));
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
  });
});

test("a replay of a create without a token is rejected, whatever the key would answer", () => {
  const name = `AUTH-MISSING ${CREATE}`;
  const body = { name: "a", url: "https://example.com", events: null };
  const past = history().creates("w1", body, { key: "k" });
  past.creates("w1", body, { key: "k", ...sent("none", 409) });
  expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
  past.creates("w1", body, { key: "k", ...sent("none") });
  expect(judge(past, name)).toMatchObject({ outcome: "held", times: 1 });
  past.creates("w1", body, { key: "k", ...sent("none", 200) });
  expect(judge(past, name)).toMatchObject({ outcome: "violated" });
});

describe("an undocumented operation", () => {
  const name = `AUTH-MISSING ${NAMED}`;

  test("is suspected if it answers without a token and the token is accepted anywhere", () => {
    const past = history().answers(NAMED, "", sent("none", 200));
    expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
    expect(judge(past.answers(HOOKS, hooks), name)).toMatchObject({ outcome: "violated" });
  });

  test("keeps the rule with 401, and with another status only if the token gets another answer", () => {
    const past = history().answers(HOOKS, hooks).answers(NAMED, "", sent("none", 404));
    expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
    past.answers(NAMED, "", { status: 404 });
    expect(judge(past, name)).toMatchObject({ reason: "control-rejected" });
    expect(judge(past.answers(NAMED, "", { status: 200 }), name)).toMatchObject({ times: 1 });
    const plain = history().answers(HOOKS, hooks).answers(NAMED, "", sent("none", 401));
    expect(judge(plain, name)).toMatchObject({ times: 1 });
  });

  test("is not tested if it is not implemented", () => {
    const past = history().answers(HOOKS, hooks).answers(NAMED, "", sent("none", 501));
    expect(judge(past, name)).toMatchObject({ reason: "not-shown" });
  });
});

describe("the other path of an operation", () => {
  const name = `AUTH-MISSING ${HOOKS} on /v1/webhooks`;
  const onOther = { operation: null, url: "http://localhost/v1/webhooks" };

  test("demands a token if it answers", () => {
    const past = history().answers(HOOKS, "", { ...sent("none"), ...onOther });
    expect(judge(past, name)).toMatchObject({ reason: "not-shown" });
    past.answers(HOOKS, hooks, onOther);
    expect(judge(past, name)).toMatchObject({ outcome: "held", times: 1 });
    past.answers(HOOKS, hooks, { ...sent("none", 200), ...onOther });
    expect(judge(past, name)).toMatchObject({ outcome: "violated" });
  });

  test("is not judged by a request without an answer", () => {
    const past = history()
      .answers(HOOKS, hooks, onOther)
      .answers(HOOKS, "", { ...sent("none"), ...onOther });
    const lost = past.entries.at(-1);
    if (lost) lost.response = { fault: "closed", message: "reset", mayHaveHappened: false };
    expect(judge(past, name)).toMatchObject({ outcome: "not-exercised" });
  });

  test("demands none if it shows browsers a page whatever the path", () => {
    const past = history()
      .answers(HOOKS, "<html></html>", onOther)
      .answers(HOOKS, "<html></html>", { ...sent("none", 200), ...onOther });
    expect(judge(past, name)).toMatchObject({ reason: "not-shown" });
  });

  test("is distinguished from longer paths", () => {
    const past = history()
      .answers(HOOKS, hooks, onOther)
      .answers(HOOKS, "", { ...sent("none"), ...onOther, url: "http://localhost/v1/webhooks/x" });
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
  });
});

describe("a scheme in lower case", () => {
  const name = `AUTH-SCHEME-CASE ${HOOKS}`;
  const lower = { sentHeaders: [["authorization", "bearer x"]] as [string, string][] };
  const plain = { sentHeaders: [["authorization", "Bearer x"]] as [string, string][] };

  test("is accepted", () => {
    expect(judge(history().answers(HOOKS, hooks, lower), name)).toMatchObject({ outcome: "held" });
  });

  test("is suspected if it is rejected and the usual one is accepted", () => {
    const past = history().answers(HOOKS, "", { ...lower, status: 401 });
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
    expect(judge(past.answers(HOOKS, hooks, plain), name)).toMatchObject({ outcome: "violated" });
  });
});

test("the challenge of a rejection is recorded", () => {
  const headers: [string, string][] = [["www-authenticate", 'Bearer realm="x"']];
  const past = history().answers(HOOKS, "", { ...sent("none"), headers });
  expect(judge(past, `REJECTION-CHALLENGE ${HOOKS}`)).toMatchObject({
    notes: [{ behaviour: "challenge", answer: { status: 401, scheme: "Bearer" } }],
  });
  expect(judge(past, `SILENCE-ERROR-BODY ${HOOKS}`)).toMatchObject({
    notes: [{ answer: { word: "empty" } }],
  });
});
