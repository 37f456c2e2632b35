/** Lists may name records by numbers (`x-references`). */

import { expect, test } from "vitest";
import { validValue } from "../../generators/values.ts";
import { History } from "../../history/history.ts";
import { allChecks } from "../../suites/index.ts";
import { documentCopy, objectAt, operation, specOf } from "../spec/package-spec.ts";
import { HEAD, historyOfCodes } from "./builder.ts";

const UPDATE = "PATCH /payment-codes/{id}";

/** An edition whose updates name providers by numbers. Answers name them by codes. */
function edition() {
  const document = documentCopy();
  const update = objectAt(document, "paths", "/payment-codes/{id}", "patch", "requestBody", "content");
  objectAt(update, "application/json", "schema", "properties", "allowedProviders").items = {
    type: "integer",
  };
  objectAt(document, "components", "schemas", "Provider", "properties").id = { type: "integer" };
  return specOf(document);
}

test("a provider that was sent by its number may be shown by its code", () => {
  const spec = edition();
  const result = [1, 2].map((id) => ({ id, code: `P${id}`, country: "CM" }));
  const judge = (shown: string) => {
    const past = historyOfCodes(spec)
      .answers("GET /banks", { result }, { query: [["country", "CM"]] })
      .updates("c1", { allowedProviders: [1] }, { allowedProviders: [shown] });
    const head = { ...HEAD, fixtures: { mutablePaymentCode: "c1" } };
    const check = allChecks(spec).find(({ id }) => id === `updates/UPDATE-ECHO ${UPDATE} allowedProviders`);
    return check?.verdict(new History(spec, head, past.entries)).outcome;
  };
  expect(judge("P1")).not.toBe("violated");
  expect(judge("P2")).toBe("violated");
});

test("a list of numbers gets the numbers of known records", () => {
  const spec = edition();
  const { schemas } = spec;
  const schema = schemas.at(operation(UPDATE, spec).body ?? {}, "/allowedProviders") ?? {};
  const source = {
    schemas,
    unique: () => "u",
    known: () => [],
    references: () => ["1", "2", "AFRI"],
    seed: 1,
  };
  expect(validValue(schema, source)).toEqual([1, 2]);
});
