import { describe, expect, test } from "vitest";
import type { Call } from "../../../client/call.ts";
import { operationById } from "../../../spec/operations.ts";
import { RoundRobin } from "../../../suites/updates/walk/round-robin.ts";
import { SpecialValues } from "../../../suites/updates/walk/special-values.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const operation = operationById(spec, "updateWebhook");
const shown = {
  name: "Hook",
  url: "https://example.com/a",
  isActive: true,
  apiVersion: "caph.2025-06-20",
  events: ["a", "b"],
  alertEmails: ["a@example.com", "b@example.com"],
  customHeaders: { "X-One": "1", "X-Two": "2" },
  metadata: { one: "1", two: "2" },
};
const settings = { seed: 0, fixtures: {} };
const call = { operation, target: { spec, settings, runId: "e456577e" } } as unknown as Call;
const specialValues = () => new SpecialValues(call, new RoundRobin(0));

describe("special values of an update", () => {
  test("come one at a time, until each field had each of its own", () => {
    const values = specialValues();
    const all = Array.from({ length: values.count }, () => values.one(shown));
    expect(all.every((body) => Object.keys(body).length === 1)).toBe(true);
    for (const body of [
      { name: null },
      { name: "hOOK" },
      { name: "Hookb" },
      { metadata: { one: "1", twob: "2" } },
      { events: null },
      { customHeaders: {} },
      { customHeaders: { "X-Two": "2" } },
      { metadata: {} },
      { metadata: shown.metadata },
    ])
      expect(all).toContainEqual(body);
  });

  test("never include the secret, a required field or a boolean field", () => {
    const values = specialValues();
    const names = Array.from({ length: values.count }, () => Object.keys(values.one(shown))).flat();
    for (const name of ["url", "isActive", "verificationMethod"]) expect(names).not.toContain(name);
  });

  test("of half of the fields leave the others out, except texts in other letter case", () => {
    const bodies = [0, 1, 2, 3].map((seed) => specialValues().ofHalf(shown, seed));
    expect(new Set(bodies.map(({ name }) => name))).toEqual(new Set([null, "hOOK"]));
  });

  test("of half of the fields leave most others out", () => {
    const names = Object.keys(specialValues().ofHalf(shown, 3));
    expect(names.length).toBeGreaterThan(1);
    expect(names.length).toBeLessThan(Object.keys(shown).length - 2);
  });

  test("are left out where the present value allows none", () => {
    const values = specialValues();
    const all = Array.from({ length: values.count }, () => values.one({ ...shown, metadata: { one: "1" } }));
    expect(all).not.toContainEqual({ metadata: expect.objectContaining({ two: "2" }) });
    expect(all).toContainEqual({});
  });

  test("include 0 for numbers between whose limits it lies", () => {
    const document = documentCopy();
    const { content } = objectAt(document, "paths", "/webhooks/{id}", "patch", "requestBody");
    const fields = objectAt(content, "application/json", "schema", "properties");
    fields.offset = { type: "number", minimum: -9, maximum: 9 };
    fields.level = { type: "integer", minimum: 0, maximum: 9 };
    fields.rank = { type: "integer", minimum: 1, maximum: 9 };
    const edition = specOf(document);
    const update = {
      operation: operationById(edition, "updateWebhook"),
      target: { spec: edition, settings, runId: "e4" },
    };
    const values = new SpecialValues(update as unknown as Call, new RoundRobin(0));
    const all = Array.from({ length: values.count }, () => values.one({ offset: 4.5, level: 4, rank: 4 }));
    expect(all).toContainEqual({ offset: 0 });
    for (const body of [{ level: 0 }, { rank: 0 }]) expect(all).not.toContainEqual(body);
  });
});
