import { expect, test } from "vitest";
import { recordDifferences } from "../../history/lists/same-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import { operation, spec } from "../spec/package-spec.ts";

const BANK = operation("GET /banks/{idOrCode}");
const differences = (listed: JsonObject, single: JsonObject) =>
  recordDifferences(spec, BANK, { id: "b1", ...listed }, { id: "b1", ...single }).map(
    ({ pointer }) => pointer,
  );

test("a read and a list of one record may leave out an empty map each", () => {
  const payout = (more: JsonObject) => ({ featureSet: { payout: { canPayTo: true, ...more } } });
  expect(differences(payout({ metadata: {} }), payout({}))).toEqual([]);
  expect(differences(payout({}), payout({ metadata: {} }))).toEqual([]);
  expect(differences({ status: {} }, {})).toEqual([]);
});

test("a read and a list of one record must agree in all other values", () => {
  const payout = (metadata: JsonObject) => ({ featureSet: { payout: { canPayTo: true, metadata } } });
  expect(differences(payout({ note: "a" }), payout({}))).toEqual(["/featureSet"]);
  expect(differences(payout({ note: "a" }), payout({ note: "b" }))).toEqual(["/featureSet"]);
  expect(differences({ status: { active: false } }, {})).toEqual(["/status"]);
});
