import { expect, test } from "vitest";
import { NulledFields } from "../../../suites/updates/walk/walked-resource.ts";

const NAMES = ["name", "events"];

test("a field that was set to null is due until it is sent with another value", () => {
  const nulled = new NulledFields();
  nulled.see({ name: null, events: null }, { name: "a", events: ["x"] });
  expect(nulled.due(NAMES, false)).toEqual(["name"]);
  nulled.see({ name: "b" }, {});
  expect(nulled.due(NAMES, false)).toEqual(["events"]);
  expect(nulled.isDue(["name"])).toBe(false);
});

test("the last update sends all fields that are due", () => {
  const nulled = new NulledFields();
  nulled.see({ name: null, events: null }, {});
  expect(nulled.due(NAMES, true)).toEqual(NAMES);
});

test("the value before the first null is sent again", () => {
  const nulled = new NulledFields();
  nulled.see({ events: null }, { events: ["x"] });
  nulled.see({ events: null }, { events: [] });
  expect(nulled.over({ name: "a", events: [] })).toEqual({ name: "a", events: ["x"] });
});

test("a switch is sent again as it was shown after null", () => {
  const nulled = new NulledFields();
  nulled.see({ isActive: null }, { isActive: false });
  expect(nulled.over({ isActive: true })).toEqual({ isActive: true });
  expect(nulled.over({})).toEqual({ isActive: false });
});
