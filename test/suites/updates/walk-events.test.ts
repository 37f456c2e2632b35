import { expect, test } from "vitest";
import { rejectedAfterOther } from "../../../suites/updates/walk-events.ts";

test("no update of the resource comes between an update of another one and the rejected update", () => {
  const events = [
    "rejected body",
    "one field",
    "another resource",
    "half of the fields",
    "null",
    "one field",
  ] as const;
  expect(rejectedAfterOther([...events], 1)).toEqual([
    "another resource",
    "rejected body",
    "one field",
    "null",
    "one field",
  ]);
  expect(rejectedAfterOther(["rejected body", "another resource", "null"], 0)).toEqual([
    "another resource",
    "rejected body",
    "null",
  ]);
});

test("without another resource, the order stays", () => {
  const events = ["rejected body", "one field", "null"] as const;
  expect(rejectedAfterOther([...events], 1)).toEqual(events);
});
