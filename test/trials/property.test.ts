import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Untestable, Violation } from "../../client/check.ts";
import { isAccepted, type Target } from "../../client/target.ts";
import { requestTo, withQuery } from "../../generators/request.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { holds } from "../../trials/property.ts";
import { operation } from "../spec/package-spec.ts";
import { resultOf, seen } from "../suites/fakes.ts";
import type { Asked, Told } from "../suites/tiny-server.ts";

const OTPS = operation("GET /v1/ussd-otps");
const ID = "test/LIST-COUNT GET /webhooks";

/** A service that accepts limits below 17 only. */
const below17 = ({ query }: Asked): Told => ({ status: Number(query.get("limit")) < 17 ? 200 : 400 });

async function everyLimit(target: Target): Promise<void> {
  await holds(target, fc.integer({ min: 1, max: 50 }), async (limit) => {
    const answer = await target.send(withQuery(requestTo(OTPS, null), { limit: String(limit) }));
    if (!isAccepted(answer))
      throw new Violation(`limit ${limit} to be accepted`, `status ${answer.status}`, [answer.exchange]);
  });
}

function tryLimits(change: Partial<Settings> = {}): Promise<CheckResult> {
  return resultOf(below17, everyLimit, { runs: 30, ...change });
}

describe("a property that fails", () => {
  test("is reported by its smallest counterexample, and by the exchange that shows it", async () => {
    const result = await tryLimits();
    expect(result.outcome).toBe("fail");
    expect(result.reproduce?.counterexample).toBe(17);
    expect(result.message).toBe("expected limit 17 to be accepted, got status 400 (smallest case: 17)");
    expect(result.evidence.map(({ request }) => new URL(request.url).search)).toEqual(["?limit=17"]);
    expect(result.reproduce?.curl).toContain("limit=17");
    expect(result.reproduce?.command).toContain("replay");
  });

  test("fails the same way with the same seed, for any target", async () => {
    const [a, b] = [await tryLimits({ seed: 9 }), await tryLimits({ seed: 9 })];
    expect(b.reproduce?.path).toBe(a.reproduce?.path);
    expect(b.message).toBe(a.message);
  });

  test("is replayed by its path, and no other value is tried", async () => {
    const found = await tryLimits({ seed: 5 });
    const tried: string[] = [];
    const replayed = await resultOf(
      (asked) => {
        tried.push(asked.query.get("limit") ?? "");
        return below17(asked);
      },
      everyLimit,
      { runs: 30, seed: 5, replayPaths: { [ID]: found.reproduce?.path ?? "" } },
    );
    expect(replayed).toMatchObject({ outcome: "fail", reproduce: { counterexample: 17 } });
    expect(tried).toEqual(["17"]);
  });

  test("passes when it is replayed against a corrected service", async () => {
    const { reproduce } = await tryLimits({ seed: 5 });
    const mended = await resultOf(() => ({ status: 200 }), everyLimit, {
      seed: 5,
      replayPaths: { [ID]: reproduce?.path ?? "" },
    });
    expect(mended.outcome).toBe("pass");
  });

  test("is shrunk with limited effort", async () => {
    let requests = 0;
    const result = await resultOf(
      () => ({ status: ++requests > 0 ? 400 : 200 }),
      (target) =>
        holds(target, fc.array(fc.nat(), { minLength: 30, maxLength: 60 }), async () => {
          const answer = await target.send(requestTo(OTPS, null));
          throw new Violation("more", `status ${answer.status}`, [answer.exchange]);
        }),
    );
    expect(result.outcome).toBe("fail");
    expect(requests).toBeLessThan(60);
  });
});

describe("a property that holds", () => {
  test("is tried on as many values as requested, made from the seed", async () => {
    const values = (seed: number) =>
      seen(
        () => ({ status: 200 }),
        async (target) => {
          const tried: number[] = [];
          await holds(target, fc.nat(), async (value) => {
            tried.push(value);
          });
          return tried;
        },
        { seed, runs: 12 },
      );
    const tried = await values(1);
    expect(tried).toHaveLength(12);
    expect(await values(1)).toEqual(tried);
    expect(await values(2)).not.toEqual(tried);
  });

  test("fewer values are tried if the check says so", async () => {
    const tried = await seen(
      () => ({ status: 200 }),
      async (target) => {
        let count = 0;
        await holds(target, fc.nat(), async () => void count++, 3);
        return count;
      },
      { runs: 50 },
    );
    expect(tried).toBe(3);
  });
});

test("a value that can't be tested ends the trying, and is no pass", async () => {
  let tried = 0;
  const result = await resultOf(
    () => ({ status: 200 }),
    (target) =>
      holds(target, fc.nat(), async () => {
        if (++tried === 3) throw new Untestable("no-data", "nothing left");
      }),
    { runs: 20 },
  );
  expect(result).toMatchObject({ outcome: "skip", reason: "no-data", message: "nothing left" });
  expect(tried).toBe(3);
});

test("a value that can't be tested while shrinking is not smaller", async () => {
  let failed = false;
  const result = await resultOf(
    () => ({ status: 200 }),
    (target) =>
      holds(target, fc.integer({ min: 0, max: 1000 }), async (value) => {
        failed ||= value >= 100;
        if (value >= 100) throw new Violation("less than 100", String(value));
        if (failed) throw new Untestable("no-answer", "gone");
      }),
    { runs: 50 },
  );
  expect(result).toMatchObject({ outcome: "fail", reproduce: { counterexample: 100 } });
});

test("a mistake in the suite is not a fault of the service", async () => {
  const result = await resultOf(
    () => ({ status: 200 }),
    (target) =>
      holds(target, fc.nat(), async () => {
        throw new TypeError("no such thing");
      }),
  );
  expect(result).toMatchObject({ outcome: "skip", reason: "suite-error" });
  expect(result.message).toContain("no such thing");
});
