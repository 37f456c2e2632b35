import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { type Profile, type Promised, promiseId, withProfile } from "../../../profiles/promises.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec as plain } from "../../spec/package-spec.ts";

const READ = "GET /payouts/{id}";
const words = { fills: "REJECTION-STATUS", statement: "A promise." };
const promised: Promised[] = [
  {
    ...words,
    kind: "rejection",
    id: promiseId("rejection"),
    cause: "unauthenticated",
    statuses: { [READ]: [401] },
  },
  { ...words, kind: "values", id: promiseId("values"), field: "Payout/status", allowed: ["done"] },
  {
    ...words,
    kind: "error-body",
    id: promiseId("error", "body"),
    schema: { type: "object", required: ["code"] },
  },
  { ...words, kind: "error-type", id: promiseId("error", "contentType"), types: ["application/json"] },
  { ...words, kind: "challenge", id: promiseId("challenge"), scheme: "Bearer" },
];
const LIST = "GET /webhooks";
const behaviours: Promised[] = [
  {
    fills: "PARAMETER-SPELLING",
    statement: "A promise.",
    kind: "practice",
    id: promiseId("unusualNumbers"),
    practice: "unusualNumbers",
    answers: { [LIST]: "accepted" },
  },
  {
    fills: "EXTRA-FIELDS",
    statement: "A promise.",
    kind: "practice",
    id: promiseId("undocumentedFields"),
    practice: "undocumentedFields",
    answers: { [READ]: "none" },
  },
];
const profile: Profile = { name: "test", sha256: "", promised: [...promised, ...behaviours] };
const spec = withProfile(plain, profile);
const checks = allChecks(plain, profile).filter(({ suite }) => suite === "profile");
const history = () => new HistoryBuilder(spec);

function judge(past: HistoryBuilder, kind: Promised["kind"]): RuleResult {
  const promise = promised.find((each) => each.kind === kind);
  return verdict(past, promise?.id ?? "", READ);
}

function verdict(past: HistoryBuilder, promise: string, operation: string): RuleResult {
  const check = checks.find(({ id }) => id === `profile/${promise} ${operation}`);
  if (!check) throw new Error(`there is no check of ${promise}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

function refused(body: unknown, headers: [string, string][] = []): HistoryBuilder {
  return history().answers(READ, body, {
    status: 401,
    headers,
    credential: { kind: "none", token: null },
  });
}

test("requests with one fault have the promised status", () => {
  const shown = { success: true, messages: [], result: { id: "po_1" } };
  const rejected = (status: number) =>
    history()
      .answers(READ, shown, { path: "po_1" })
      .answers(READ, {}, { path: "po_1", status, credential: { kind: "none", token: null } });
  const judged = (past: HistoryBuilder) => judge(past, "rejection");
  expect(judged(rejected(401))).toMatchObject({ outcome: "held", times: 1 });
  expect(judged(rejected(403))).toMatchObject({
    outcome: "violated",
    violations: [{ expected: "status 401 to a call without a valid bearer token" }],
  });
  // A 503 is no rejection. And a rejection counts only if the valid twin of its request was accepted.
  expect(judged(rejected(503))).toMatchObject({ outcome: "not-exercised" });
  expect(judged(refused({}))).toMatchObject({ outcome: "not-exercised" });
});

test("a field shows only promised values", () => {
  const shown = (status: string) =>
    history().answers(READ, { success: true, messages: [], result: { id: "x", status } });
  expect(judge(shown("done"), "values")).toMatchObject({ outcome: "held" });
  expect(judge(shown("lost"), "values")).toMatchObject({
    outcome: "violated",
    violations: [{ certainty: "proven", shownBy: [{ offending: "/result/status" }] }],
  });
  expect(judge(refused({}), "values")).toMatchObject({ outcome: "not-exercised" });
});

test("errors have the promised body, type and challenge", () => {
  const typed: [string, string][] = [["content-type", "application/json; charset=utf-8"]];
  const challenged: [string, string][] = [["www-authenticate", "Bearer"]];
  const outcome = (past: HistoryBuilder, kind: Promised["kind"]) => judge(past, kind).outcome;
  expect(outcome(refused({ code: 1 }), "error-body")).toBe("held");
  expect(outcome(refused({}), "error-body")).toBe("violated");
  expect(outcome(refused({}, typed), "error-type")).toBe("held");
  expect(outcome(refused({}, [["content-type", "text/html"]]), "error-type")).toBe("violated");
  expect(outcome(refused({}, challenged), "challenge")).toBe("held");
  expect(outcome(refused({}), "challenge")).toBe("violated");
  for (const kind of ["error-body", "error-type", "challenge"] as const)
    expect(outcome(history(), kind)).toBe("not-exercised");
});

test("a header that a recorder may have left out breaks no promise", () => {
  const past = refused({});
  for (const { response } of past.entries) if ("status" in response) response.isPartial = true;
  expect(judge(past, "error-type")).toMatchObject({ outcome: "not-exercised" });
  expect(judge(past, "challenge")).toMatchObject({ outcome: "not-exercised" });
});

test("a behaviour is judged by the notes of other rules", () => {
  const sent = (status: number, limit = "05") =>
    history().answers(
      LIST,
      { success: true, messages: [], result: [] },
      { status, query: [["limit", limit]] },
    );
  const judged = (past: HistoryBuilder) => verdict(past, promiseId("unusualNumbers"), LIST);
  expect(judged(sent(200))).toMatchObject({ outcome: "held", times: 1 });
  expect(judged(sent(400))).toMatchObject({
    outcome: "violated",
    violations: [{ certainty: "suspected", actual: "limit=05: rejected (400)" }],
  });
  // A 429 says nothing about the request, and a limit of 5 is not unusual.
  expect(judged(sent(429))).toMatchObject({ outcome: "not-exercised", reason: "no-data" });
  expect(judged(sent(200, "5"))).toMatchObject({ outcome: "not-exercised" });
});

test("a promise about fields needs an answer that shows some", () => {
  const judged = (past: HistoryBuilder) => verdict(past, promiseId("undocumentedFields"), READ);
  const shown = (more: object) =>
    history().answers(READ, { success: true, messages: [], result: { id: "po_1", ...more } });
  expect(judged(history())).toMatchObject({ outcome: "not-exercised" });
  expect(judged(shown({}))).toMatchObject({ outcome: "held" });
  const past = shown({}).answers(READ, { success: true, messages: [], result: { id: "po_1", x: 1 } });
  expect(judged(past)).toMatchObject({ violations: [{ shownBy: [{ entry: past.entries[1] }] }] });
});
