import { describe, expect, test } from "vitest";
import { type Check, NotTested } from "../../client/check.ts";
import type { CheckTarget } from "../../client/target.ts";
import type { Entry } from "../../history/entry.ts";
import type { RuleResult } from "../../history/result.ts";
import type { Exchange } from "../../reports/report.ts";
import { judge, skippedResult } from "../../runner/judge.ts";
import { exampleCheck, HELD, spec } from "./example.ts";
import { exampleSettings } from "./settings.ts";

const context = { spec, settings: exampleSettings({ seed: 42 }) };
const exchange: Exchange = {
  request: {
    method: "GET",
    url: "http://127.0.0.1:1/webhooks?limit=1",
    headers: { authorization: "[redacted]" },
    body: null,
  },
  response: { status: 500, headers: {}, body: "" },
  startedAt: "2025-08-23T10:00:00.000Z",
  durationMs: 3,
};

const target = {
  ...context,
  exchangeOf: () => exchange,
  checkThatSends: () => "other/CHECK",
} as unknown as CheckTarget;

async function judged(run: () => RuleResult, change: Partial<Check> = {}) {
  const check = exampleCheck("lists/LIST-COUNT GET /webhooks", { ...change, run: async () => run() });
  return (await judge(check, target, () => 1)).result;
}

const violation = (): RuleResult => ({
  outcome: "violated",
  violations: [
    { certainty: "suspected", expected: "count 1", actual: "count 2", shownBy: [{ entry: {} as Entry }] },
  ],
});

describe("the outcome of a check", () => {
  test("that ends without a violation is a pass, with its requirements", async () => {
    expect(await judged(() => HELD)).toMatchObject({
      id: "lists/LIST-COUNT GET /webhooks",
      outcome: "pass",
      level: "MUST",
      section: "4.16",
      operation: "GET /webhooks",
      requirements: ["LIST-COUNT"],
      serviceVersion: null,
      evidence: [],
    });
  });

  test.each([
    ["MUST", "LIST-COUNT", "fail"],
    ["SHOULD", "LIST-ORDER", "warn"],
    ["NOTE", "BEFORE-PAGE", "note"],
  ])("for a violated %s depends on the level only", async (level, requirement, outcome) => {
    expect(await judged(violation, { requirements: [requirement] })).toMatchObject({
      level,
      outcome,
      message: "expected count 1, got count 2",
      expected: "count 1",
      actual: "count 2",
      evidence: [exchange],
    });
  });

  test("for a point that the specification leaves open is an observation, never a pass", async () => {
    expect((await judged(() => HELD, { requirements: ["BEFORE-PAGE"] })).outcome).toBe("note");
  });

  test("for several requirements has the highest of their levels", async () => {
    const result = await judged(violation, { requirements: ["BEFORE-PAGE", "LIST-COUNT", "LIST-ORDER"] });
    expect(result).toMatchObject({ level: "MUST", outcome: "fail" });
  });

  test("that can't be tested is a skip with its reason", async () => {
    const result = await judged(() => {
      throw new NotTested("no-data", "the list is empty", [exchange]);
    });
    expect(result).toMatchObject({
      outcome: "skip",
      reason: "no-data",
      message: "the list is empty",
      evidence: [exchange],
    });
  });

  test.each([new TypeError("x is not a function"), "a text", undefined])(
    "that throws %o is the suite's own fault",
    async (thrown) => {
      const result = await judged(() => {
        throw thrown;
      });
      expect(result).toMatchObject({ outcome: "skip", reason: "suite-error" });
      expect(result.message).toContain("the suite failed, not the service");
    },
  );

  test("that is not tried is a skip", () => {
    const result = skippedResult(exampleCheck("x"), context, "read-only", "it would write");
    expect(result).toMatchObject({
      outcome: "skip",
      reason: "read-only",
      message: "it would write",
      evidence: [],
    });
  });
});

describe("the way to repeat a failure", () => {
  test("has seed, command and request", async () => {
    const { reproduce } = await judged(violation);
    expect(reproduce).toMatchObject({ seed: 42 });
    expect(reproduce?.command).toContain("payments-conformance replay");
    expect(reproduce?.command).toContain("'lists/LIST-COUNT GET /webhooks'");
    expect(reproduce?.curl).toContain("http://127.0.0.1:1/webhooks?limit=1");
  });

  test("has the checks whose requests showed it", async () => {
    const withOf = async (change: Partial<Check>) => (await judged(violation, change)).reproduce?.with;
    expect(await withOf({ namesWhoAsked: true })).toEqual(["other/CHECK"]);
    expect(await withOf({})).toBeUndefined();
  });
});
