import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { filteredRules } from "../../../suites/updates/filtered.ts";
import { HEAD, historyOfCodes } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const [check] = filteredRules(spec);
const SHOWN: JsonObject = { name: "a", mode: "oneTime", status: "pending", isActive: false };
const ACTIVE: JsonObject = { ...SHOWN, isActive: true };
const ITEM: JsonObject = { id: "c1", name: "a", mode: "one_time", status: "pending", enable: false };
const OTHER: JsonObject = { ...ITEM, mode: "recurrent" };

const page = (result: JsonObject[]) => ({
  success: true,
  messages: [],
  result,
  pagination: { count: result.length, next: null },
});

/**
 * The outcome for a history with an update, and then a list filtered by mode, which shows `filtered`. The list without
 * a filter shows `before` at the start, and `after` at the end.
 */
function outcome(filtered: JsonObject[], before: JsonObject, after = before): string | undefined {
  const past = historyOfCodes(spec)
    .lists([before])
    .reads("c1", SHOWN)
    .updates("c1", { isActive: true }, ACTIVE)
    .waits(3_000)
    .reads("c1", ACTIVE)
    .answers("GET /v1/payment-codes", page(filtered), { query: [["mode", "one_time"]] })
    .reads("c1", ACTIVE)
    .lists([after]);
  const head = { ...HEAD, fixtures: { mutablePaymentCode: "c1" } };
  return check?.verdict?.(new History(spec, head, past.entries))?.outcome;
}

test("a filter shows what the list shows without it, even if a single read spells the field in another way", () => {
  expect(outcome([ITEM], ITEM)).toBe("held");
  expect(outcome([], ITEM)).toBe("violated");
});

test("nothing is missing under a filter if the list shows another value, or shows it only later", () => {
  expect(outcome([], OTHER)).toBe("not-exercised");
  expect(outcome([], ITEM, OTHER)).toBe("not-exercised");
});
