import { describe, expect, it } from "vitest";
import {
  isFailing,
  requirementOutcome,
  requirementScope,
  requirementWaived,
  summarise,
  untestedMusts,
  verdict,
  worstOutcome,
} from "../../reports/outcome.ts";
import type { CheckResult, Level, Outcome, RequirementResult, SkipReason } from "../../reports/report.ts";

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

describe("the outcome of a requirement", () => {
  it("weighs fail over warn over pass over note over skip", () => {
    expect(requirementOutcome(of("skip", "pass"))).toBe("pass");
    expect(requirementOutcome(of("skip", "note"))).toBe("note");
    expect(requirementOutcome(of("note", "pass", "skip"))).toBe("pass");
    expect(requirementOutcome(of("pass", "warn"))).toBe("warn");
    expect(requirementOutcome(of("pass", "warn", "fail", "skip"))).toBe("fail");
  });

  it("is skip when there is no check: untested is never a pass", () => {
    expect(requirementOutcome([])).toBe("skip");
    expect(worstOutcome([])).toBe("skip");
  });

  it("is waived only when waivers cover everything that fails it", () => {
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

  it("ends where the user did not offer what it needs", () => {
    expect(inScope("MUST", ["no-fixture", "read-only"])).toBe(false);
    expect(inScope("MUST", ["no-fixture", "no-data"])).toBe(true);
    expect(requirementScope("MUST", skips("no-second-space")).scopeReason).toContain("second space");
  });

  it("holds every MUST but deliveries when completeness is required", () => {
    expect(inScope("MUST", ["no-fixture"], true)).toBe(true);
    expect(inScope("MUST", ["no-callback"], true)).toBe(false);
  });

  it("holds what was tested, whatever was skipped beside it", () => {
    expect(requirementScope("MUST", [...skips("no-fixture"), { outcome: "pass" }]).inScope).toBe(true);
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

  it("is conformant when every MUST in scope was tested and nothing fails", () => {
    expect(judge(requirement({}), requirement({ outcome: "warn", level: "SHOULD" }))).toBe("conformant");
    expect(judge(requirement({ outcome: "skip", inScope: false }))).toBe("conformant");
    expect(judge(requirement({ outcome: "skip", level: "SHOULD" }))).toBe("conformant");
  });

  it("is inconclusive when a MUST in scope was tested nowhere, or the target could not be judged", () => {
    expect(judge(requirement({ outcome: "skip" }))).toBe("inconclusive");
    expect(judge(requirement({ outcome: "note" }))).toBe("inconclusive");
    expect(verdict({ requirements: [], problem: "unreachable" })).toBe("inconclusive");
    expect(untestedMusts([requirement({ outcome: "skip" }), requirement({})])).toHaveLength(1);
  });

  it("is nonconformant when something fails that no waiver covers, whatever else is open", () => {
    expect(judge(requirement({ outcome: "fail" }), requirement({ outcome: "skip" }))).toBe("nonconformant");
    expect(judge(requirement({ outcome: "fail", waived: true }))).toBe("conformant");
    expect(verdict({ requirements: [requirement({ outcome: "fail" })], problem: "refused" })).toBe(
      "nonconformant",
    );
    expect(verdict({ requirements: [], complaints: ["a waiver has expired"] })).toBe("nonconformant");
  });

  it("counts a warn as a fail under strict", () => {
    const warned = [requirement({ outcome: "warn", level: "SHOULD" })];
    expect(verdict({ requirements: warned })).toBe("conformant");
    expect(verdict({ requirements: warned }, true)).toBe("nonconformant");
    expect(isFailing({ outcome: "warn" }, true)).toBe(true);
    expect(isFailing({ outcome: "warn", waived }, true)).toBe(false);
  });
});
