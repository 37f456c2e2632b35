import { setMaxListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Load, wait } from "../../../client/sending/load-limits.ts";
import { RequestOrder } from "../../../client/sending/request-order.ts";

// The clock stands still until a test moves it. The sleep of the code under test waits for that clock.
vi.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number, value: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const timer = globalThis.setTimeout(resolve, milliseconds, value);
      signal.addEventListener("abort", () => {
        globalThis.clearTimeout(timer);
        reject(new Error("aborted"));
      });
    }),
}));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
setMaxListeners(0, never);

/**
 * Sends `count` requests at the same time. Each lasts `takes` milliseconds. Returns when each began, how many were
 * in flight at most, and how many the gate refused.
 */
async function send(gate: Load, count: number, takes: number, signal = never) {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  let refused = 0;
  const all = Promise.all(
    Array.from({ length: count }, async () => {
      if (!(await gate.enter(signal))) {
        refused++;
        return;
      }
      begun.push(Date.now());
      running++;
      most = Math.max(most, running);
      await wait(takes, never);
      running--;
      gate.leave();
    }),
  );
  await vi.runAllTimersAsync();
  await all;
  return { begun, most, refused };
}

test("a request that others wait for overtakes the waiting ones", async () => {
  const load = new Load({ concurrency: 1 });
  const order: string[] = [];
  const enter = async (name: string, urgent: boolean) => {
    await load.enter(never, urgent);
    order.push(name);
    load.leave();
  };
  await load.enter(never);
  const all = [
    enter("first", false),
    enter("second", false),
    enter("urgent", true),
    enter("also urgent", true),
  ];
  load.leave();
  await Promise.all(all);
  expect(order).toEqual(["urgent", "also urgent", "first", "second"]);
});

test("the order decides which waiting request is next", async () => {
  const order = new RequestOrder(7);
  const load = new Load({ concurrency: 1, order });
  const sent: number[] = [];
  await load.enter(never);
  const all = Array.from({ length: 20 }, async (_, number) => {
    await load.enter(never);
    sent.push(number);
    load.leave();
  });
  load.leave();
  await Promise.all(all);
  const inTurn = Array.from({ length: 20 }, (_, number) => number);
  expect(sent).not.toEqual(inTurn);
  expect(sent.toSorted((a, b) => a - b)).toEqual(inTurn);
});

test.each([1, 2, 8])("no more than %i requests are in flight", async (concurrency) => {
  const gate = new Load({ concurrency });
  const { begun, most } = await send(gate, 40, 10);
  expect(most).toBe(concurrency);
  expect(begun).toHaveLength(40);
  // A request waits only for a free place: 40 requests, 8 at a time, begin in 5 groups, 10 ms apart.
  expect(Math.max(...begun) - 1_000_000).toBe((Math.ceil(40 / concurrency) - 1) * 10);
});

test("no more requests than the budget are sent, whoever asks", async () => {
  const gate = new Load({ concurrency: 8, maxRequests: 13 });
  const { begun, refused } = await send(gate, 40, 10);
  expect([begun.length, refused, gate.sent]).toEqual([13, 27, 13]);
  expect(await gate.enter(never)).toBe(false);
  expect(gate.sent).toBe(13);
});

/**
 * The most requests that begin within one second. The 999 allow for timers that drop fractions of a
 * millisecond.
 */
function mostPerSecond(begun: number[]): number {
  return Math.max(
    ...begun.map((start) => begun.filter((time) => time >= start && time < start + 999).length),
  );
}

describe("a service that asks for fewer requests at the same time", () => {
  test("gets half as many, and half again only after a while", async () => {
    const load = new Load({ concurrency: 8 });
    expect((await send(load, 20, 50)).most).toBe(8);
    load.ease();
    load.ease();
    expect((await send(load, 20, 50)).most).toBe(4);
    for (let round = 0; round < 3; round++) {
      vi.setSystemTime(Date.now() + 2_000);
      load.ease();
    }
    expect((await send(load, 20, 50)).most).toBe(2);
  });

  test("still gets the requests that waited meanwhile", async () => {
    const load = new Load({ concurrency: 8 });
    const sent = send(load, 40, 50);
    load.ease();
    expect((await sent).begun).toHaveLength(40);
  });

  test("still gets one request at a time if it got one at a time before", async () => {
    const load = new Load({ concurrency: 1 });
    load.ease();
    expect((await send(load, 4, 50)).most).toBe(1);
  });
});

describe("no more requests a second than the rate", () => {
  test.each([1, 3, 10, 50])("holds for a rate of %i", async (rate) => {
    const gate = new Load({ concurrency: 8, rate });
    const { begun } = await send(gate, rate * 3, 5);
    expect(begun).toHaveLength(rate * 3);
    expect(mostPerSecond(begun)).toBeLessThanOrEqual(rate);
  });

  test("holds after a time without requests", async () => {
    const gate = new Load({ concurrency: 8, rate: 10 });
    const first = await send(gate, 5, 5);
    await vi.advanceTimersByTimeAsync(60_000);
    const second = await send(gate, 30, 5);
    expect(mostPerSecond([...first.begun, ...second.begun])).toBeLessThanOrEqual(10);
  });

  test("holds after the service asked for a pause", async () => {
    const gate = new Load({ concurrency: 8, rate: 10 });
    gate.pause(4_000);
    const { begun } = await send(gate, 30, 5);
    expect(Math.min(...begun)).toBeGreaterThanOrEqual(1_004_000);
    expect(mostPerSecond(begun)).toBeLessThanOrEqual(10);
  });
});

describe("a pause", () => {
  test("holds back every request, and the longest pause counts", async () => {
    const gate = new Load({ concurrency: 4 });
    gate.pause(3_000);
    gate.pause(1_000);
    const { begun } = await send(gate, 10, 5);
    expect(Math.min(...begun)).toBe(1_003_000);
  });

  test("ends when the run is interrupted", async () => {
    const gate = new Load({ concurrency: 4 });
    const interrupted = new AbortController();
    gate.pause(60_000);
    const sent = send(gate, 10, 5, interrupted.signal);
    interrupted.abort();
    const { begun, refused } = await sent;
    expect([begun.length, refused]).toEqual([0, 10]);
    expect(Date.now()).toBeLessThan(1_060_000);
  });
});

test("an interrupted run gives its places back", async () => {
  const gate = new Load({ concurrency: 2 });
  const interrupted = new AbortController();
  interrupted.abort();
  expect(await gate.enter(interrupted.signal)).toBe(false);
  const { begun, most } = await send(gate, 6, 10);
  expect([begun.length, most, gate.sent]).toEqual([6, 2, 6]);
});

test("a run whose time is over sends only requests that clean up", async () => {
  const load = new Load({ concurrency: 1, within: -1 });
  const { signal } = new AbortController();
  expect(await load.enter(signal)).toBe(false);
  expect([load.isLate, load.sent]).toEqual([true, 0]);
  load.allowLate();
  expect(await load.enter(signal)).toBe(true);
});
