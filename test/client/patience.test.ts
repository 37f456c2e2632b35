import { describe, expect, it } from "vitest";
import { patient } from "../../client/patience.ts";
import type { Target } from "../../client/target.ts";

/** A target of which nothing but the delay and the pauses is asked. */
function waiting(visibilityDelay: number): { target: Target; pauses: number[] } {
  const pauses: number[] = [];
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  };
  return { target: { settings: { visibilityDelay }, pause } as unknown as Target, pauses };
}

describe("patience", () => {
  it("looks once where what it sees is done", async () => {
    const { target, pauses } = waiting(1_000);
    let looks = 0;
    expect(
      await patient(
        target,
        async () => ++looks,
        (seen) => seen === 1,
      ),
    ).toBe(1);
    expect(pauses).toEqual([]);
  });

  it("looks until it is done, and returns what was seen then", async () => {
    const { target, pauses } = waiting(60_000);
    let looks = 0;
    expect(
      await patient(
        target,
        async () => ++looks,
        async (seen) => seen === 3,
      ),
    ).toBe(3);
    expect(pauses).toEqual([25, 50]);
  });

  it("looks for the last time when the delay is over, not before", async () => {
    const { target, pauses } = waiting(60);
    const begun = performance.now();
    let last = 0;
    await patient(
      target,
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

  it("looks once where no delay is allowed", async () => {
    const { target } = waiting(0);
    let looks = 0;
    expect(
      await patient(
        target,
        async () => ++looks,
        () => false,
      ),
    ).toBe(1);
  });
});
