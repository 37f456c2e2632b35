import { expect, test } from "vitest";
import { select } from "./select.ts";
import { WILD } from "./wild.ts";

test("every typical service has its variants, and the proof runs them at both depths", () => {
  const names = new Set(select({}).variants.map(({ name }) => name));
  for (const [service, own] of Object.entries(WILD)) {
    expect([service, own.length]).not.toEqual([service, 0]);
    expect([service, own.filter((name) => !names.has(name))]).toEqual([service, []]);
  }
  expect(select({}).bothDepths).toBe(true);
});
