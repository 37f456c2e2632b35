import { describe, expect, test } from "vitest";
import type { CheckResult, Exchange, Outcome, SkipReason } from "../../reports/report.ts";
import { confirmSuspects, type Suspect } from "../../runner/confirm.ts";
import { exampleCheck, exampleResult } from "./example.ts";

function exchange(body: string): Exchange {
  return {
    request: { method: "GET", url: "http://127.0.0.1/webhooks", headers: {}, body: null },
    response: { status: 200, headers: {}, body },
    startedAt: "2025-08-23T10:00:00.000Z",
    durationMs: 1,
  };
}

function suspect(id: string, change: Partial<CheckResult> = {}, operation = "GET /webhooks"): Suspect {
  const check = exampleCheck(id, { operation });
  const result = exampleResult(check, {
    outcome: "fail",
    message: `${id} failed`,
    evidence: [exchange("a longer body")],
    ...change,
  });
  return { check, result };
}

/** Confirms suspects of which the second try comes out as told; the results, and what was tried again. */
async function confirm(
  suspects: Suspect[],
  second: Record<string, Outcome>,
  evidence: Exchange[] = [],
  reason: SkipReason = "no-answer",
) {
  const told: CheckResult[] = [];
  const tried: string[] = [];
  await confirmSuspects(
    suspects,
    async (check) => {
      tried.push(check.id);
      const outcome = second[check.id] ?? "pass";
      const skip = outcome === "skip" ? { reason, message: "no one is there" } : {};
      const result = exampleResult(check, { outcome, message: "again", evidence, ...skip });
      return { result, shown: [exchange("shown")] };
    },
    (result) => told.push(result),
  );
  return { told, tried };
}

describe("a suspect", () => {
  test("that shows its fault again is a finding, with the evidence that is shorter", async () => {
    const { told } = await confirm([suspect("a")], { a: "fail" }, [exchange("short")]);
    expect(told).toMatchObject([{ id: "a", outcome: "fail", message: "again" }]);
    const longer = await confirm([suspect("a")], { a: "fail" }, [exchange("a body that is longer still")]);
    expect(longer.told).toMatchObject([{ id: "a", outcome: "fail", message: "a failed" }]);
  });

  test("that does not is unsteady, with what both tries showed", async () => {
    const { told } = await confirm([suspect("a")], { a: "pass" });
    expect(told[0]).toMatchObject({ outcome: "unsteady" });
    expect(told[0]?.message).toContain("did not show");
    expect(told[0]?.evidence.map(({ response }) => response?.body)).toEqual(["a longer body", "shown"]);
  });

  test("that can't be tried again is unsteady, and says why", async () => {
    const { told } = await confirm([suspect("a")], { a: "skip" });
    expect(told[0]).toMatchObject({ outcome: "unsteady" });
    expect(told[0]).not.toHaveProperty("reason");
    expect(told[0]?.message).toContain("no one is there");
  });

  test("that is a refusal, and is none once room was made for it, has passed", async () => {
    const answered = (status: number) => ({
      ...exchange("no"),
      offending: "status",
      response: { status, headers: {}, body: "" },
    });
    const confirmed = async (status: number, roomMade: boolean) => {
      const told: CheckResult[] = [];
      await confirmSuspects(
        [suspect("a", { evidence: [answered(status)] })],
        async (check) => ({ result: exampleResult(check, { outcome: "pass" }), shown: [], roomMade }),
        (result) => told.push(result),
      );
      return told[0]?.outcome;
    };
    expect(await confirmed(403, true)).toBe("pass");
    expect(await confirmed(403, false)).toBe("unsteady");
    expect(await confirmed(200, true)).toBe("unsteady");
  });

  test("that is a refusal, by a service that has had enough since, was declined", async () => {
    const refused = { ...exchange("no"), offending: "status" };
    const answered = (status: number) => ({ ...refused, response: { status, headers: {}, body: "" } });
    const [told] = (
      await confirm([suspect("a", { evidence: [answered(409)] })], { a: "skip" }, [], "declined")
    ).told;
    expect(told).toMatchObject({ outcome: "skip", reason: "declined" });
    const [other] = (
      await confirm([suspect("a", { evidence: [answered(200)] })], { a: "skip" }, [], "declined")
    ).told;
    expect(other).toMatchObject({ outcome: "unsteady" });
  });

  test("stands with another of its requirement and operation that showed its fault again", async () => {
    const suspects = [suspect("a"), suspect("b"), suspect("c"), suspect("d", {}, "GET /banks")];
    const { told, tried } = await confirm(suspects, { b: "fail", d: "fail" });
    expect(tried).toEqual(["a", "b", "d"]);
    expect(told.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "unsteady"],
      ["b", "fail"],
      ["c", "fail"],
      ["d", "fail"],
    ]);
    expect(told[2]?.message).toContain("(shown again by b)");
  });
});
