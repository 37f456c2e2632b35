import { describe, expect, it } from "vitest";
import {
  hardlyTested,
  isFailing,
  openQuestions,
  operationResults,
  requirementOutcome,
  requirementScope,
  requirementWaived,
  summarise,
  untestedMusts,
  verdict,
  worstOutcome,
} from "../../reports/outcome.ts";
import type {
  CheckResult,
  Level,
  OperationResult,
  Outcome,
  RequirementResult,
  SkipReason,
} from "../../reports/report.ts";

const waived = { reason: "known", expires: "2026-06-01" };
const of = (...outcomes: Outcome[]) => outcomes.map((outcome) => ({ outcome }));

function requirement(change: Partial<RequirementResult>): RequirementResult {
  return {
    id: "A",
    level: "MUST",
    section: "2",
    statement: "…",
    outcome: "pass",
    checks: [],
    inScope: true,
    ...change,
  };
}

/** The result of a documented operation with these checks. `statuses` counts its answers by status. */
function operationsOf(checks: Partial<CheckResult>[], statuses: Record<string, number>): OperationResult[] {
  const operation = "GET /banks";
  return operationResults(
    [{ operation, section: "4.8", shown: true }],
    checks.map((check) => ({ operation, level: "MUST", outcome: "pass", ...check })),
    { operations: { [operation]: { requests: 1, statuses, outcomes: {} } }, fields: {}, constraints: {} },
  );
}

describe("the outcome of a requirement", () => {
  it("weighs fail over warn over pass over note over skip", () => {
    expect(requirementOutcome(of("skip", "pass"))).toBe("pass");
    expect(requirementOutcome(of("skip", "note"))).toBe("note");
    expect(requirementOutcome(of("note", "pass", "skip"))).toBe("pass");
    expect(requirementOutcome(of("pass", "warn"))).toBe("warn");
    expect(requirementOutcome(of("pass", "warn", "fail", "skip"))).toBe("fail");
  });

  it("is skip if there is no check: untested is never a pass", () => {
    expect(requirementOutcome([])).toBe("skip");
    expect(worstOutcome([])).toBe("skip");
  });

  it("is waived only if waivers cover all of its failures", () => {
    const covered: Pick<CheckResult, "outcome" | "waived"> = { outcome: "fail", waived };
    expect(requirementWaived([covered, { outcome: "pass" }])).toBe(true);
    expect(requirementWaived([covered, { outcome: "fail" }])).toBe(false);
    expect(requirementWaived([covered, { outcome: "warn" }])).toBe(true);
    expect(requirementWaived([covered, { outcome: "warn" }], true)).toBe(false);
    expect(requirementWaived([{ outcome: "pass" }])).toBe(false);
  });
});

describe("the scope of a requirement", () => {
  const skips = (...reasons: SkipReason[]) => reasons.map((reason) => ({ outcome: "skip" as const, reason }));
  const inScope = (level: Level, reasons: SkipReason[], complete = false) =>
    requirementScope(level, skips(...reasons), complete).inScope;

  it("leaves it out if the user does not offer what it needs", () => {
    expect(inScope("MUST", ["no-fixture", "read-only"])).toBe(false);
    expect(inScope("MUST", ["no-fixture", "no-data"])).toBe(true);
    expect(requirementScope("MUST", skips("no-second-space")).scopeReason).toContain("second space");
  });

  it("holds every MUST except deliveries if completeness is required", () => {
    expect(inScope("MUST", ["no-fixture"], true)).toBe(true);
    expect(inScope("MUST", ["no-callback"], true)).toBe(false);
  });

  it("includes a tested requirement, whatever else was skipped", () => {
    expect(requirementScope("MUST", [...skips("no-fixture"), { outcome: "pass" }]).inScope).toBe(true);
  });
});

describe("how far an operation was tested", () => {
  it("is out of scope if it could not succeed because of what the user does not offer", () => {
    const [without] = operationsOf([{ outcome: "pass" }, { outcome: "skip", reason: "no-fixture" }], {
      "404": 3,
    });
    expect(without).toMatchObject({ inScope: false, successes: 0, musts: { total: 2, tested: 1 } });
    const [readOnly] = operationsOf([{ outcome: "skip", reason: "read-only" }], {});
    expect(readOnly?.inScope).toBe(false);
    const [seen] = operationsOf([{ outcome: "pass" }, { outcome: "skip", reason: "no-fixture" }], {
      "200": 1,
    });
    expect(seen).toMatchObject({ inScope: true, successes: 1 });
  });

  it("names hardly tested operations, but not those that were not selected", () => {
    const named = (checks: Partial<CheckResult>[], statuses = {}) =>
      hardlyTested({ operations: operationsOf(checks, statuses) }).length;
    const skip = { outcome: "skip", reason: "no-data" } as const;
    expect(named([{ outcome: "pass" }, skip, skip], { "200": 1 })).toBe(1);
    expect(named([{ outcome: "pass" }], { "404": 1 })).toBe(1);
    expect(named([{ outcome: "pass" }], { "200": 1 })).toBe(0);
    expect(named([{ outcome: "skip", reason: "not-selected" }])).toBe(0);
  });
});

describe("the summary", () => {
  it("counts checks, and a waived violation as waived only", () => {
    const checks = [
      ...of("pass", "pass", "fail", "warn", "skip", "note"),
      { outcome: "fail" as const, waived },
    ];
    expect(summarise(checks)).toEqual({
      pass: 2,
      fail: 1,
      warn: 1,
      skip: 1,
      note: 1,
      unsteady: 0,
      waived: 1,
    });
  });
});

describe("the verdict", () => {
  const judge = (...requirements: RequirementResult[]) => verdict({ requirements });

  it("is conformant if every MUST in scope was tested and nothing fails", () => {
    expect(judge(requirement({}), requirement({ outcome: "warn", level: "SHOULD" }))).toBe("conformant");
    expect(judge(requirement({}), requirement({ outcome: "skip", inScope: false }))).toBe("conformant");
    expect(judge(requirement({}), requirement({ outcome: "skip", level: "SHOULD" }))).toBe("conformant");
  });

  it("is inconclusive if a MUST in scope was not tested, or the target could not be judged", () => {
    expect(judge(requirement({ outcome: "skip" }))).toBe("inconclusive");
    expect(judge(requirement({ outcome: "note" }))).toBe("inconclusive");
    expect(verdict({ requirements: [], problem: "unreachable" })).toBe("inconclusive");
    expect(untestedMusts([requirement({ outcome: "skip" }), requirement({})])).toHaveLength(1);
  });

  it("is inconclusive if a MUST in scope was only unsteady, and names it", () => {
    expect(requirementOutcome(of("unsteady", "skip"))).toBe("unsteady");
    const requirements = [requirement({}), requirement({ id: "KEY-REPLAY", outcome: "unsteady" })];
    expect(verdict({ requirements })).toBe("inconclusive");
    expect(openQuestions({ requirements })).toEqual([
      "1 MUST requirement in scope was not tested.",
      "Of KEY-REPLAY a violation was seen once and not again, which is no test of it.",
    ]);
    const scope = requirementScope("MUST", [
      { outcome: "unsteady" },
      { outcome: "skip", reason: "no-fixture" },
    ]);
    expect(scope.inScope).toBe(true);
  });

  it("accepts a pass at one place as a test, even if another place was unsteady", () => {
    expect(requirementOutcome(of("unsteady", "pass"))).toBe("pass");
    expect(judge(requirement({ level: "SHOULD", outcome: "unsteady" }), requirement({}))).toBe("conformant");
  });

  it("is inconclusive if nothing was tested: green needs evidence", () => {
    expect(judge()).toBe("inconclusive");
    expect(judge(requirement({ outcome: "skip", inScope: false }))).toBe("inconclusive");
    expect(judge(requirement({ level: "SHOULD" }))).toBe("inconclusive");
    expect(openQuestions({ requirements: [] })).toEqual(["No MUST requirement was tested."]);
  });

  it("is inconclusive if waivers cover all that was tested", () => {
    const requirements = [requirement({ outcome: "fail", waived: true })];
    const covered = { level: "MUST", outcome: "fail", waived } as const;
    const skipped = { level: "MUST", outcome: "skip" } as const;
    const report = { requirements, checks: [covered, skipped] };
    expect(verdict(report)).toBe("inconclusive");
    expect(openQuestions(report)).toEqual(["Nothing holds of what was tested: waivers cover all of it."]);
    const held = { level: "MUST", outcome: "pass" } as const;
    expect(verdict({ requirements, checks: [covered, held] })).toBe("conformant");
  });

  it("is inconclusive if the run ended early, or is partial", () => {
    const requirements = [requirement({})];
    expect(verdict({ requirements, endedEarly: "the service has stopped answering" })).toBe("inconclusive");
    expect(verdict({ requirements, run: { partial: true } })).toBe("inconclusive");
    expect(verdict({ requirements, run: { partial: false } })).toBe("conformant");
  });

  it("is inconclusive if an operation in scope gave no success", () => {
    const requirements = [requirement({})];
    const [silent] = operationsOf([{ outcome: "pass" }], {});
    expect(silent).toMatchObject({ inScope: true, successes: 0 });
    expect(verdict({ requirements, operations: [silent as OperationResult] })).toBe("inconclusive");
    const heard = operationsOf([{ outcome: "pass" }], { "200": 1 });
    expect(verdict({ requirements, operations: heard })).toBe("conformant");
  });

  it("is nonconformant if an unwaived check fails, whatever else is open", () => {
    expect(judge(requirement({ outcome: "fail" }), requirement({ outcome: "skip" }))).toBe("nonconformant");
    expect(judge(requirement({ outcome: "fail", waived: true }))).toBe("conformant");
    expect(verdict({ requirements: [requirement({ outcome: "fail" })], problem: "refused" })).toBe(
      "nonconformant",
    );
    expect(verdict({ requirements: [], complaints: ["a waiver has expired"] })).toBe("nonconformant");
  });

  it("counts a warn as a fail under strict", () => {
    const warned = [requirement({}), requirement({ outcome: "warn", level: "SHOULD" })];
    expect(verdict({ requirements: warned })).toBe("conformant");
    expect(verdict({ requirements: warned }, true)).toBe("nonconformant");
    expect(isFailing({ outcome: "warn" }, true)).toBe(true);
    expect(isFailing({ outcome: "warn", waived }, true)).toBe(false);
  });
});
