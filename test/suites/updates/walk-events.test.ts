import { expect, test } from "vitest";
import { rejectedAfterOther } from "../../../suites/updates/walk/events.ts";
import { bothEffects } from "../../../suites/updates/walk/requests.ts";
import { operation } from "../../spec/package-spec.ts";

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

test("two updates under another version have the effect of both", () => {
  const one = { sent: { name: "a" }, touched: ["name", "mode"] };
  const other = { sent: { note: "b" }, touched: ["note", "mode"] };
  const patch = { operation: operation("PATCH /webhooks/{id}") };
  expect(bothEffects(patch, one, other)).toEqual({
    sent: { name: "a", note: "b" },
    touched: ["name", "mode", "note"],
  });
  const put = { operation: { ...patch.operation, method: "PUT" as const } };
  expect(bothEffects(put, one, other)).toEqual(other);
  expect(bothEffects(put, one, {})).toEqual(one);
  expect(bothEffects(patch, one, { touched: ["name"] }).sent).toEqual({});
});

test("without another resource, the order stays", () => {
  const events = ["rejected body", "one field", "null"] as const;
  expect(rejectedAfterOther([...events], 1)).toEqual(events);
});
