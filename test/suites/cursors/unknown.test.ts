import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { cursorRules } from "../../../suites/cursors/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";

const CODES = "GET /v1/payment-codes";
const HOOKS = "GET /webhooks";
const page = listOf([samples.PaymentCode], 1);
const checks = cursorRules(spec);
const after = (text: string, status = 200, space = "spc-main") => ({
  query: [["after", text]] as [string, string][],
  status,
  space,
});

function judge(past: HistoryBuilder, list = CODES): RuleResult {
  const check = checks.find(({ id }) => id === `cursors/CURSOR-UNKNOWN ${list}`);
  if (!check) throw new Error("there is no such check");
  return check.verdict(new History(spec, { ...HEAD, spaces: ["spc-main", "spc-other"] }, past.entries));
}

test("a cursor that the list never issued is rejected", () => {
  const past = new HistoryBuilder(spec).answers(CODES, page);
  expect(judge(past)).toMatchObject({ reason: "no-data" });
  expect(judge(past.answers(CODES, "", after("made-up", 400)))).toMatchObject({ outcome: "held" });
  expect(judge(past.answers(CODES, page, after("made-up")))).toMatchObject({
    violations: [{ certainty: "suspected", actual: "status 200" }],
  });
});

test("a cursor that the list issued, or one of another space, may be accepted", () => {
  const issuing = { ...page, pagination: { count: 1, next: "issued" } };
  const past = new HistoryBuilder(spec)
    .answers(CODES, issuing)
    .answers(CODES, page, after("issued"))
    .answers(CODES, page, { space: "spc-other" })
    .answers(CODES, page, after("issued", 200, "spc-other"));
  expect(judge(past)).toMatchObject({ reason: "no-data" });
});

test("a list whose cursors are ids of items may issue cursors of another form", () => {
  const hooks = { ...listOf([samples.Webhook], 1), pagination: { count: 1, total: 1, next: "no-id" } };
  const past = new HistoryBuilder(spec).answers(HOOKS, hooks).answers(HOOKS, hooks, after("no-id"));
  expect(judge(past, HOOKS)).toMatchObject({ reason: "no-data" });
  expect(judge(past.answers(HOOKS, hooks, after("made-up")), HOOKS)).toMatchObject({ outcome: "violated" });
});
