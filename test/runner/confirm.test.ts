import { describe, expect, test } from "vitest";
import type { CheckResult, Exchange, Outcome, SkipReason } from "../../reports/report.ts";
import { confirmSuspected, type SuspectedViolation } from "../../runner/confirming/confirm.ts";
import { exampleCheck, exampleResult } from "./example.ts";

function exchange(body: string): Exchange {
  return {
    request: { method: "GET", url: "http://127.0.0.1/webhooks", headers: {}, body: null },
    response: { status: 200, headers: {}, body },
    startedAt: "2025-08-23T10:00:00.000Z",
    durationMs: 1,
  };
}

function suspectedViolation(
  id: string,
  change: Partial<CheckResult> = {},
  operation = "GET /webhooks",
): SuspectedViolation {
  const check = exampleCheck(id, { operation });
  const result = exampleResult(check, {
    outcome: "fail",
    message: `${id} failed`,
    evidence: [exchange("a longer body")],
    ...change,
  });
  return { check, result };
}

/**
 * Confirms suspected violations. A repeated check gets its outcome of `second`, or passes. Returns the reported
 * results, and the ids of the repeated checks (`tried`).
 */
async function confirm(
  suspected: SuspectedViolation[],
  second: Record<string, Outcome>,
  evidence: Exchange[] = [],
  reason: SkipReason = "no-answer",
) {
  const reported: CheckResult[] = [];
  const tried: string[] = [];
  await confirmSuspected(suspected, {
    tryAgain: async (check) => {
      tried.push(check.id);
      const outcome = second[check.id] ?? "pass";
      const skip = outcome === "skip" ? { reason, message: "no one is there" } : {};
      const result = exampleResult(check, { outcome, message: "again", evidence, ...skip });
      return { result, shown: [exchange("shown")] };
    },
    tell: (result) => reported.push(result),
  });
  return { reported, tried };
}

describe("a suspected violation", () => {
  test("becomes a finding if it shows again, with the shorter evidence", async () => {
    const { reported } = await confirm([suspectedViolation("a")], { a: "fail" }, [exchange("short")]);
    expect(reported).toMatchObject([{ id: "a", outcome: "fail", message: "again" }]);
    const longer = await confirm([suspectedViolation("a")], { a: "fail" }, [
      exchange("a body that is longer still"),
    ]);
    expect(longer.reported).toMatchObject([{ id: "a", outcome: "fail", message: "a failed" }]);
  });

  test("becomes unsteady if it does not show again, with the evidence of both runs", async () => {
    const { reported } = await confirm([suspectedViolation("a")], { a: "pass" });
    expect(reported[0]).toMatchObject({ outcome: "unsteady" });
    expect(reported[0]?.message).toContain("did not show");
    expect(reported[0]?.evidence.map(({ response }) => response?.body)).toEqual(["a longer body", "shown"]);
  });

  test("becomes unsteady if it can't be tried again, and says why", async () => {
    const { reported } = await confirm([suspectedViolation("a")], { a: "skip" });
    expect(reported[0]).toMatchObject({ outcome: "unsteady" });
    expect(reported[0]).not.toHaveProperty("reason");
    expect(reported[0]?.message).toContain("no one is there");
  });

  test("passes if it is a rejection, and the request is accepted once resources were made inactive", async () => {
    const answered = (status: number) => ({
      ...exchange("no"),
      offending: "status",
      response: { status, headers: {}, body: "" },
    });
    const confirmed = async (status: number, quotaFreed: boolean) => {
      const reported: CheckResult[] = [];
      await confirmSuspected([suspectedViolation("a", { evidence: [answered(status)] })], {
        tryAgain: async (check) => ({
          result: exampleResult(check, { outcome: "pass" }),
          shown: [],
          quotaFreed,
        }),
        tell: (result) => reported.push(result),
      });
      return reported[0]?.outcome;
    };
    expect(await confirmed(403, true)).toBe("pass");
    expect(await confirmed(403, false)).toBe("unsteady");
    expect(await confirmed(200, true)).toBe("unsteady");
  });

  test("is drift if the second attempt shows that the value changes by itself", async () => {
    const outcomeOf = async (evidence: Exchange[]) =>
      (await confirm([suspectedViolation("a")], { a: "skip" }, evidence, "drift")).reported[0];
    expect(await outcomeOf([exchange("moved")])).toMatchObject({ outcome: "skip", reason: "drift" });
    expect(await outcomeOf([])).toMatchObject({ outcome: "unsteady" });
  });

  test("is declined if it is a rejection, and a quota has been used up since", async () => {
    const refused = { ...exchange("no"), offending: "status" };
    const answered = (status: number) => ({ ...refused, response: { status, headers: {}, body: "" } });
    const [reported] = (
      await confirm([suspectedViolation("a", { evidence: [answered(409)] })], { a: "skip" }, [], "declined")
    ).reported;
    expect(reported).toMatchObject({ outcome: "skip", reason: "declined" });
    const [other] = (
      await confirm([suspectedViolation("a", { evidence: [answered(200)] })], { a: "skip" }, [], "declined")
    ).reported;
    expect(other).toMatchObject({ outcome: "unsteady" });
  });

  test("is confirmed if another one of the same requirement and operation shows again", async () => {
    const suspected = [
      suspectedViolation("a"),
      suspectedViolation("b"),
      suspectedViolation("c"),
      suspectedViolation("d", {}, "GET /banks"),
    ];
    const { reported, tried } = await confirm(suspected, { b: "fail", d: "fail" });
    expect(tried.toSorted()).toEqual(["a", "b", "d"]);
    expect(reported.map(({ id, outcome }) => [id, outcome]).toSorted()).toEqual([
      ["a", "unsteady"],
      ["b", "fail"],
      ["c", "fail"],
      ["d", "fail"],
    ]);
    expect(reported.find(({ id }) => id === "c")?.message).toContain("(shown again by b)");
  });

  test("is repeated alone, in the order of the suspicions", async () => {
    const suspected = ["/banks", "/momos"].map((path) => suspectedViolation(path, {}, `GET ${path}`));
    const log: string[] = [];
    await confirmSuspected(suspected, {
      tryAgain: async (check) => {
        log.push(`${check.id} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${check.id} ends`);
        return { result: exampleResult(check, { outcome: "fail" }), shown: [] };
      },
      tell: () => {},
    });
    expect(log).toEqual(["/banks begins", "/banks ends", "/momos begins", "/momos ends"]);
  });

  test("is not confirmed if confirming ends before its second run, or during it", async () => {
    const reported: CheckResult[] = [];
    let isStopped = false;
    await confirmSuspected([suspectedViolation("a", {}, "GET /a"), suspectedViolation("b", {}, "GET /b")], {
      tryAgain: async (check) => {
        isStopped = true;
        return { result: exampleResult(check, { outcome: "skip", reason: "interrupted" }), shown: [] };
      },
      tell: (result) => reported.push(result),
      stopped: () => (isStopped ? { reason: "interrupted", why: "stopped early" } : undefined),
    });
    expect(reported).toMatchObject([
      { outcome: "skip", reason: "interrupted", message: "not confirmed (stopped early): a failed" },
      { outcome: "skip", reason: "interrupted", message: "not confirmed (stopped early): b failed" },
    ]);
    expect(reported[1]?.evidence).toHaveLength(1);
  });
});
