import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { updatesCounted } from "../../history/journal/counted-updates.ts";
import { operationById } from "../../spec/operations.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const WEBHOOK = "PATCH /webhooks/{id}";
const CODE = "PATCH /payment-codes/{id}";
const OF_WEBHOOKS = { [WEBHOOK]: { url: "https://example.com/a" }, [CODE]: { name: "a" } };

/** Returns how many updates of webhooks a quota may count. A sign stands for an update, and + for an accepted one. */
function counted(...updates: ["+" | "-", keyof typeof OF_WEBHOOKS][]): number {
  const past = new HistoryBuilder(spec).creates(
    "w",
    { name: "a", url: "https://example.com/a" },
    { key: "k" },
  );
  past.answers("GET /payment-codes/{id}", { result: { id: "c" } }, { path: "c" });
  for (const [sign, key] of updates)
    past.answers(key, sign === "+" ? { result: {} } : { error: "no" }, {
      ...{ path: key === WEBHOOK ? "w" : "c", sent: OF_WEBHOOKS[key], status: sign === "+" ? 200 : 403 },
    });
  return updatesCounted(new History(spec, HEAD, past.entries), operationById(spec, "updateWebhook"));
}

test("a quota counts the updates of all operations if all stop accepting them", () => {
  expect(counted(["+", WEBHOOK], ["+", CODE], ["+", CODE], ["-", WEBHOOK], ["-", CODE])).toBe(3);
});

test("a quota counts the updates of one operation alone if others are still accepted, or were not sent again", () => {
  expect(counted(["+", WEBHOOK], ["+", CODE], ["-", WEBHOOK], ["+", CODE])).toBe(1);
  expect(counted(["+", WEBHOOK], ["+", CODE], ["-", WEBHOOK])).toBe(1);
  expect(counted(["+", WEBHOOK], ["+", CODE], ["-", CODE])).toBe(1);
});
