import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { spaceRules } from "../../../suites/spaces/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";

const HOOKS = "GET /webhooks";
const BANKS = "GET /banks";
const checks = spaceRules(spec);
const hooks = listOf([samples.Webhook], 1);
const banks = listOf([samples.Bank], 1);
const CM: [string, string][] = [["country", "CM"]];

function judge(past: HistoryBuilder, requirement: string, key = HOOKS): RuleResult {
  const check = checks.find(({ id }) => id === `access/${requirement} ${key}`);
  if (!check) throw new Error(`there is no check of ${requirement}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const history = () => new HistoryBuilder(spec);
const sent = (space: string | null, status = 400) => ({ space, status });

describe("a request without a space", () => {
  test("keeps the rule if it is rejected after an equal request with a space was accepted", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", sent(null)).answers(HOOKS, "", sent(""));
    expect(judge(past, "SPACE-MISSING")).toMatchObject({ outcome: "held", times: 2 });
  });

  test.each([
    { status: 200, certainty: "proven" },
    { status: 302, certainty: "suspected" },
  ])("is $certainty if it is answered $status", ({ status, certainty }) => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, hooks, sent("", status));
    expect(judge(past, "SPACE-MISSING")).toMatchObject({
      violations: [
        {
          certainty,
          expected: `${HOOKS} with an empty space header to be rejected (4xx)`,
          actual: `status ${status}`,
        },
      ],
    });
  });

  test("keeps the rule if it is rejected before an equal request with a space is accepted", () => {
    const past = history().answers(HOOKS, "", sent(null)).answers(HOOKS, hooks);
    expect(judge(past, "SPACE-MISSING")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("proves nothing if no equal request with a space is accepted, or only under another version", () => {
    const alone = history().answers(HOOKS, "", sent(null));
    expect(judge(alone, "SPACE-MISSING")).toMatchObject({ reason: "control-rejected" });
    const older = history()
      .answers(HOOKS, hooks, { version: "caph.2025-06-20" })
      .answers(HOOKS, "", sent(null));
    expect(judge(older, "SPACE-MISSING")).toMatchObject({ reason: "control-rejected" });
  });

  test("proves nothing if something else is wrong with it", () => {
    const past = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, "", { ...sent(null), query: [["limit", "0"]] });
    expect(judge(past, "SPACE-MISSING")).toMatchObject({ reason: "no-data" });
    const tokenless = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, "", { ...sent(null), credential: { kind: "none", token: null } });
    expect(judge(tokenless, "SPACE-MISSING")).toMatchObject({ reason: "no-data" });
  });

  test("is left to the rule about server errors if it is answered with one", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", sent(null, 500));
    expect(judge(past, "SPACE-MISSING")).toMatchObject({ reason: "server-error" });
  });
});

test("each fault of a space id breaks a requirement of its own", () => {
  const past = history()
    .answers(HOOKS, hooks)
    .answers(HOOKS, hooks, sent("xspc-main", 200))
    .answers(HOOKS, "", sent(`spc-${"1".repeat(97)}`));
  expect(judge(past, "SPACE-PATTERN")).toMatchObject({ outcome: "violated" });
  expect(judge(past, "SPACE-LENGTH")).toMatchObject({ outcome: "held", times: 1 });
  expect(judge(past, "SPACE-MISSING")).toMatchObject({ reason: "no-data" });
});

describe("reference data", () => {
  test("keeps the rule if it is shown without a space", () => {
    const past = history().answers(BANKS, banks, { space: null, query: CM });
    expect(judge(past, "REFERENCE-WITHOUT-SPACE", BANKS)).toMatchObject({ outcome: "held" });
  });

  test("is suspected if it is shown only with a space", () => {
    const past = history().answers(BANKS, "", { space: null, query: CM, status: 400 });
    expect(judge(past, "REFERENCE-WITHOUT-SPACE", BANKS)).toMatchObject({ outcome: "not-exercised" });
    past.answers(BANKS, banks, { query: CM, space: null, sentHeaders: [["service-space-id", "spc-main"]] });
    expect(judge(past, "REFERENCE-WITHOUT-SPACE", BANKS)).toMatchObject({
      violations: [{ certainty: "suspected", actual: "status 400" }],
    });
  });
});

test("a long unknown space is compared with a short one", () => {
  const long = `spc-pc-test${"x".repeat(70)}`;
  const past = history().answers(HOOKS, "", sent("spc-pc-test", 404)).answers(HOOKS, "", sent(long, 400));
  expect(judge(past, "SPACE-LONG-UNKNOWN")).toMatchObject({
    notes: [{ tried: `${long.length} characters`, answer: { statuses: [400, 404] } }],
  });
  expect(operation(HOOKS).space?.schema.maxLength).toBe(100);
});
