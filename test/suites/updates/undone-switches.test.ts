import { expect, test } from "vitest";
import { unlessUndone } from "../../../suites/updates/bodies.ts";

test("a body is sent again unless a switch that it set has another value since", () => {
  const body = { isActive: true, name: "a" };
  expect(unlessUndone(["isActive"], body, { isActive: true })).toBe(body);
  expect(unlessUndone(["isActive"], body, {})).toBe(body);
  expect(unlessUndone(["isActive"], { name: "a" }, { isActive: false })).toEqual({ name: "a" });
  expect(unlessUndone(["isActive"], body, { isActive: false })).toBeUndefined();
});
