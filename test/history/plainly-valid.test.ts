import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { operationById } from "../../spec/loading/load.ts";
import { spec } from "../spec/package-spec.ts";

describe("an update that any service must accept", () => {
  const update = operationById(spec, "updateWebhook");
  const head = {
    runTag: "pc-test",
    consistencyTimeoutMs: 1_000,
    spaces: ["spc-main"],
    fixtures: {},
    seed: 1,
  };
  const history = new History(spec, head, []);
  const url = "https://example.com/a";

  test("names events once", () => {
    expect(history.isPlainlyValid(update, { url, events: ["payout.updated", "payment.created"] })).toBe(true);
  });

  test("does not name an event twice, because a service may reject that", () => {
    expect(history.isPlainlyValid(update, { url, events: ["payout.updated", "payout.updated"] })).toBe(false);
  });
});
