import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { operationById } from "../../spec/operations.ts";
import { documentCopy, objectAt, spec, specOf } from "../spec/package-spec.ts";

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

  test("has no unique number at a limit, because another resource may have it", () => {
    const document = documentCopy();
    const { content } = objectAt(document, "paths", "/webhooks/{id}", "patch", "requestBody");
    const fields = objectAt(content, "application/json", "schema", "properties");
    fields.rank = { type: "integer", minimum: 1, maximum: 900, "x-unique": { scope: "space" } };
    const edition = specOf(document);
    const ranking = operationById(edition, "updateWebhook");
    const ranked = new History(edition, head, []);
    expect(ranked.mustAcceptBody(ranking, { url, rank: 44 })).toBe(true);
    expect([1, 900].map((rank) => ranked.mustAcceptBody(ranking, { url, rank }))).toEqual([false, false]);
  });
});
