import { describe, expect, it } from "vitest";
import { eventually } from "../../client/eventually.ts";
import type { Target } from "../../client/target.ts";
import { operation } from "../spec/package-spec.ts";

const LIST = operation("GET /webhooks");

/** A target with this consistency timeout, in milliseconds. `pauses` records how long the tested code waits. */
function waiting(visibilityDelay: number): { target: Target; pauses: number[] } {
  const pauses: number[] = [];
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  };
  const made = new Map<string, unknown>();
  const memoize = async (key: string, make: () => Promise<unknown>) => {
    if (!made.has(key)) made.set(key, await make());
    return made.get(key);
  };
  const memoizeUnjudged = (key: string, make: () => Promise<unknown>) => memoize(`in the run: ${key}`, make);
  return {
    target: { settings: { visibilityDelay }, pause, memoize, memoizeUnjudged } as unknown as Target,
    pauses,
  };
}

describe("eventually", () => {
  it("looks once if the first look is enough", async () => {
    const { target, pauses } = waiting(1_000);
    let looks = 0;
    expect(
      await eventually(
        target,
        LIST,
        async () => ++looks,
        (seen) => seen === 1,
      ),
    ).toBe(1);
    expect(pauses).toEqual([]);
  });

  it("looks again until it is done, and returns the last look", async () => {
    const { target, pauses } = waiting(60_000);
    let looks = 0;
    expect(
      await eventually(
        target,
        LIST,
        async () => ++looks,
        (seen) => seen === 3,
      ),
    ).toBe(3);
    expect(pauses).toEqual([25, 50]);
  });

  it("waits after rejected requests, even if it waited in vain after others", async () => {
    const { target } = waiting(40);
    let looks = 0;
    const looksAfter = async (after?: string) => {
      looks = 0;
      const look = async () => ++looks;
      await eventually(target, LIST, look, () => false, after);
      return looks;
    };
    for (let time = 0; time < 2; time++) expect(await looksAfter()).toBeGreaterThan(1);
    expect(await looksAfter()).toBe(1);
    expect(await looksAfter("rejected")).toBeGreaterThan(1);
  });

  it("looks for the last time when the delay is over, not before", async () => {
    const { target, pauses } = waiting(60);
    const begun = performance.now();
    let last = 0;
    await eventually(
      target,
      LIST,
      async () => {
        last = performance.now();
        return last;
      },
      () => false,
    );
    expect(last - begun).toBeGreaterThanOrEqual(60);
    expect(pauses[0]).toBe(25);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60);
  });

  it("looks once if no delay is allowed", async () => {
    const { target } = waiting(0);
    let looks = 0;
    expect(
      await eventually(
        target,
        LIST,
        async () => ++looks,
        () => false,
      ),
    ).toBe(1);
  });

  it("stops waiting for an operation after two waits in vain", async () => {
    const { target, pauses } = waiting(20);
    const never = () =>
      eventually(
        target,
        LIST,
        async () => "nothing",
        () => false,
      );
    await never();
    await never();
    const waited = pauses.length;
    expect(await never()).toBe("nothing");
    expect(pauses).toHaveLength(waited);
  });

  it("keeps waiting for an operation that has shown something late", async () => {
    const { target, pauses } = waiting(60);
    let looks = 0;
    await eventually(
      target,
      LIST,
      async () => ++looks,
      (seen) => seen === 2,
    );
    for (let time = 0; time < 3; time++) {
      const before = pauses.length;
      await eventually(
        target,
        LIST,
        async () => "nothing",
        () => false,
      );
      expect(pauses.length).toBeGreaterThan(before);
    }
  });
});
