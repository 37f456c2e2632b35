import { describe, expect, test } from "vitest";
import { exitCodeOf } from "../../command/running/exit-codes.ts";
import type { CheckResult } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import { assembleReport, type RunFacts } from "../../runner/reporting/assemble.ts";
import { exampleCheck, exampleResult, spec } from "./example.ts";
import { exampleSettings } from "./settings.ts";

const count = exampleCheck("count");
const order = exampleCheck("order", { requirements: ["LIST-ORDER"] });
const PLANNED: PlannedCheck[] = [{ check: count }, { check: order }];
const answered = { "GET /webhooks": { requests: 9, statuses: { "200": 9 }, outcomes: {} } };
const summary = {
  requests: 9,
  observations: [],
  coverage: { operations: answered, fields: {}, constraints: {} },
};

function report(
  results: CheckResult[],
  change: Partial<RunFacts> = {},
  execution: Partial<RunFacts["execution"]> = {},
) {
  const made = assembleReport({
    spec,
    settings: exampleSettings(),
    planned: PLANNED,
    execution: { results, faults: [], summary, ...execution },
    options: {},
    waivers: [],
    startedAt: new Date("2026-03-02T10:00:00Z"),
    durationMs: 1_234.5,
    interrupted: false,
    ...change,
  });
  expect(validateReport(made)).toMatchObject({ valid: true });
  return made;
}

const both = [exampleResult(order), exampleResult(count)];

describe("assembleReport", () => {
  test("has each planned check once, in the order of the plan", () => {
    const { checks, run } = report(both);
    expect(checks.map(({ id }) => id)).toEqual(["count", "order"]);
    expect(run).toMatchObject({ partial: false, requests: 9, durationMs: 1_235, seed: 1 });
  });

  test("has each requirement of the spec, with the checks that test it", () => {
    const { requirements } = report(both);
    expect(requirements.map(({ id }) => id)).toEqual([...spec.requirements.keys()]);
    expect(requirements.find(({ id }) => id === "LIST-COUNT")).toMatchObject({
      outcome: "pass",
      checks: ["count"],
      inScope: true,
    });
  });

  test("a requirement that no check can test is out of scope, with the reason", () => {
    const untested = [...spec.requirements.values()].find((each) => each.untested !== undefined);
    expect(report(both).requirements.find(({ id }) => id === untested?.id)).toMatchObject({
      outcome: "skip",
      inScope: false,
      scopeReason: untested?.untested,
    });
  });

  test("a MUST is out of scope if the user does not offer it, unless the run must be complete", () => {
    const skips = [exampleResult(order), exampleResult(count, { outcome: "skip", reason: "no-fixture" })];
    const scope = (options: Record<string, unknown>) =>
      report(skips, { options }).requirements.find(({ id }) => id === "LIST-COUNT")?.inScope;
    expect(scope({})).toBe(false);
    expect(scope({ requireComplete: true })).toBe(true);
    // The plan has no check of LIST-TOTAL, as if the specification had no operation to which it applies.
    const made = report(skips, { options: { requireComplete: true } });
    expect(made.requirements.find(({ id }) => id === "LIST-TOTAL")).toMatchObject({
      inScope: false,
      scopeReason: "the specification shows nothing to test",
    });
  });

  test("a check that never reported is a skip, never a pass, and a fault of the suite", () => {
    const made = report([exampleResult(count)]);
    expect(made.checks[1]).toMatchObject({ id: "order", outcome: "skip", reason: "interrupted" });
    expect(made.run.partial).toBe(true);
    expect(made.problem).toContain("1 of 2 checks never reported");
    expect(made.verdict).not.toBe("conformant");
    expect(exitCodeOf(made, false)).toBe(3);
  });

  test("a fault of the suite is stated even if all results are there", () => {
    const made = report(both, {}, { faults: ["the worker tripped"] });
    expect(made.problem).toContain("the worker tripped");
    expect(made.verdict).not.toBe("conformant");
  });

  test("an interrupted run is partial, without a problem of the suite", () => {
    const made = report([exampleResult(count)], { interrupted: true });
    expect(made.run.partial).toBe(true);
    expect(made.problem).toBeUndefined();
    expect(made.checks[1]?.message).toBe("the run ended first");
    expect(exitCodeOf(made, true)).toBe(130);
  });

  test("a target that can't be judged: every check is a skip for that reason; checks that were left out keep theirs", () => {
    const left: PlannedCheck = {
      check: exampleCheck("left"),
      skip: { reason: "not-selected", message: "left out by --only" },
    };
    const waivers = [
      { requirement: "NO", operation: "NO", reason: "r", expires: "2000-01-01", where: "w:1" },
    ];
    const facts = { planned: [...PLANNED, left], waivers };
    const made = report([], facts, { problem: "the service refuses the token" });
    expect(made.checks.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["skip", "interrupted"],
      ["skip", "interrupted"],
      ["skip", "not-selected"],
    ]);
    expect(made.checks[0]?.message).toBe("the service refuses the token");
    expect(made).toMatchObject({ problem: "the service refuses the token", verdict: "inconclusive" });
    expect(made.complaints).toBeUndefined();
    expect(exitCodeOf(made, false)).toBe(3);
  });

  test("a waiver that has expired fails the run", () => {
    const waivers = [
      { requirement: "LIST-*", operation: "*", reason: "r", expires: "2000-01-01", where: "w:1" },
    ];
    const made = report(both, { waivers });
    expect(made.complaints).toHaveLength(1);
    expect(made.verdict).toBe("nonconformant");
    expect(exitCodeOf(made, false)).toBe(1);
  });

  test("a warn fails only a strict run", () => {
    const warned = [exampleResult(count), exampleResult(order, { outcome: "warn" })];
    expect(exitCodeOf(report(warned), false)).toBe(0);
    expect(exitCodeOf(report(warned, { options: { strict: true } }), false)).toBe(1);
  });
});
