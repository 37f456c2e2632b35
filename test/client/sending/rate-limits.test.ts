import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isAccepted } from "../../../client/target.ts";
import { requestTo } from "../../../generators/request.ts";
import type { CheckResult } from "../../../reports/report.ts";
import { Session } from "../../../runner/session.ts";
import { exampleSettings } from "../../runner/settings.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { listOf } from "../../spec/samples.ts";
import { checkThat } from "../../suites/fakes.ts";
import { type TinyAnswer, type TinyServer, tinyServer } from "../../suites/tiny-server.ts";

// A sleep moves the clock on and ends at once. Requests use the real network.
const slept: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => {
    slept.push(milliseconds);
    vi.setSystemTime(Date.now() + milliseconds);
    await new Promise(setImmediate);
  },
}));

let server: TinyServer | undefined;
let settings: { maxWait?: number } = {};
beforeEach(() => {
  settings = {};
  slept.length = 0;
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
});

const OTPS = operation("GET /v1/ussd-otps");
const good: TinyAnswer = { status: 200, body: listOf([]) };

/** Runs checks of one request each. The service gives these answers in turn and repeats the last one. */
async function run(checks: number, ...answers: (() => TinyAnswer)[]) {
  let asked = 0;
  const started = await tinyServer(() => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    return answer ? answer() : good;
  });
  server = started;
  const session = new Session(
    spec,
    exampleSettings({ baseUrl: started.baseUrl, timeout: 10_000, ...settings }),
  );
  const statuses: number[] = [];
  const check = (n: number) =>
    checkThat(
      async (target) => {
        const answer = await target.send(requestTo(OTPS, null));
        statuses.push(answer.status);
        expect(isAccepted(answer)).toBe(true);
      },
      { id: `lists/LIST-COUNT ${n}` },
    );
  const results: CheckResult[] = [];
  for (let n = 0; n < checks; n++) results.push(await session.run({ check: check(n) }));
  const { observations, coverage } = session.summary();
  await session.close();
  const rate = observations.find(({ requirement }) => requirement === "SILENCE-RATE-LIMIT");
  return { results, statuses, asked, rate: rate?.value, counted: coverage.operations[OTPS.key]?.statuses };
}

const limited =
  (retryAfter?: string, status = 429) =>
  (): TinyAnswer => ({
    status,
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } }),
  });

const waited = () => slept.reduce((sum, one) => sum + one, 0);

describe("a 429 is never evidence: the client waits and asks again", () => {
  test("for as many seconds as Retry-After says", async () => {
    const { results, statuses, asked } = await run(1, limited("7"), () => good);
    expect(results[0]?.outcome).toBe("pass");
    expect([statuses, asked]).toEqual([[200], 2]);
    expect(waited()).toBeGreaterThan(6_900);
    expect(waited()).toBeLessThanOrEqual(7_000);
  });

  test("until the date that Retry-After names", async () => {
    const date = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 5_000).toUTCString();
    const { results } = await run(
      1,
      () => limited(date())(),
      () => good,
    );
    expect(results[0]?.outcome).toBe("pass");
    expect(waited()).toBeGreaterThan(4_900);
    expect(waited()).toBeLessThanOrEqual(6_000);
  });

  test("also if the status is 403 and Retry-After says how long", async () => {
    const { statuses, asked } = await run(1, limited("7", 403), () => good);
    expect([statuses, asked]).toEqual([[200], 2]);
    await server?.close();
    const refused = await run(1, limited(undefined, 403), () => good);
    expect([refused.statuses, refused.asked]).toEqual([[403], 1]);
  });

  test("but not for a 403 of a service that names a time in other refusals, too", async () => {
    const { statuses, asked } = await run(3, limited("7", 404), limited("7", 403), () => good);
    expect([statuses, asked]).toEqual([[404, 403, 200], 3]);
    expect(waited()).toBe(0);
  });

  test("at once if Retry-After is zero or long past", async () => {
    await run(1, limited("0"), () => good);
    await server?.close();
    await run(1, limited(new Date(0).toUTCString()), () => good);
    expect(waited()).toBe(0);
  });

  test("longer each time if Retry-After is missing and the limit persists", async () => {
    const { results } = await run(1, limited("0"), limited("0"), limited("0"), () => good);
    expect(results[0]?.outcome).toBe("pass");
    expect(slept).toEqual([250, 500]);
  });

  test.each([600, -600])("by the clock of the service, %i seconds ahead of ours", async (ahead) => {
    const httpDate = (later: number) => new Date(Date.now() + (ahead + later) * 1000).toUTCString();
    const inFiveSeconds = (): TinyAnswer => ({
      status: 429,
      headers: { date: httpDate(0), "retry-after": httpDate(5) },
    });
    const { results } = await run(1, inFiveSeconds, () => good);
    expect(results[0]?.outcome).toBe("pass");
    expect(waited()).toBe(5_000);
  });

  test.each([undefined, "soon", "0.5", "-1"])("longer each time if Retry-After is %s", async (header) => {
    const { results, asked } = await run(1, limited(header), limited(header), limited(header), () => good);
    expect([results[0]?.outcome, asked]).toEqual(["pass", 4]);
    const pauses = slept.filter((one) => one > 50);
    expect(pauses).toHaveLength(3);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
  });

  test.each([undefined, 30_000])("never for longer than --max-wait allows (%s)", async (maxWait) => {
    settings = maxWait === undefined ? {} : { maxWait };
    await run(1, limited("86400"), () => good);
    expect(waited()).toBeGreaterThan((maxWait ?? 120_000) - 1_000);
    expect(waited()).toBeLessThanOrEqual(maxWait ?? 120_000);
  });

  test("for two minutes if the service asks for two minutes", async () => {
    const { results, asked } = await run(1, limited("120"), () => good);
    expect([results[0]?.outcome, asked]).toEqual(["pass", 2]);
  });

  test("without counting the 429 among the statuses of the service", async () => {
    const { counted } = await run(1, limited("1"), () => good);
    expect(counted).toEqual({ "200": 1 });
  });
});

describe("if the limit persists", () => {
  test("the check is a skip, rate-limited", async () => {
    const { results, asked } = await run(1, limited("1"));
    expect(results[0]).toMatchObject({ outcome: "skip", reason: "rate-limited" });
    expect(results[0]?.message).toContain("429");
    expect(asked).toBe(5);
  });

  test("the client waits once for a limit that lasts for hours", async () => {
    const { results, asked } = await run(1, limited("3600"));
    expect(results[0]).toMatchObject({ outcome: "skip", reason: "rate-limited" });
    expect(asked).toBe(2);
    expect(waited()).toBeLessThanOrEqual(120_000);
    expect(results[0]?.message).toContain("the service asks for 3600 s, and --max-wait allows 120 s");
  });

  test("later checks do not wait for it again", async () => {
    const { results } = await run(20, limited("3600"));
    expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(["rate-limited"]));
    expect(slept.filter((pause) => pause > 60_000)).toHaveLength(1);
  });

  test("later checks soon stop waiting", async () => {
    const { results, asked } = await run(20, limited("1"));
    expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(["rate-limited"]));
    expect(asked).toBeLessThan(40);
  });

  test("later checks are tested once the service answers again", async () => {
    const limits = Array.from({ length: 14 }, () => limited("1"));
    const { results } = await run(8, ...limits, () => good);
    expect(results[0]?.reason).toBe("rate-limited");
    expect(results.at(-1)?.outcome).toBe("pass");
  });
});

test("the run observes whether the service limits", async () => {
  expect((await run(1, limited("1"), () => good)).rate).toBe("with Retry-After");
  await server?.close();
  expect((await run(1, limited(), () => good)).rate).toBe("without Retry-After");
  await server?.close();
  expect((await run(1, () => good)).rate).toBe("no");
});
