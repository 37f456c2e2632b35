/** Lists of other fields are read after updates only if no other rule follows those fields. */

import { expect, test } from "vitest";
import type { Spec } from "../../../spec/model/spec.ts";
import { mayChangeOtherFields } from "../../../suites/reads/changed-records.ts";
import { isOfRecord } from "../../../suites/reads/records.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../../spec/package-spec.ts";

function isReadAgain(edition: Spec): boolean {
  const read = operation("GET /payment-codes/{id}", edition);
  return isOfRecord(read) && mayChangeOtherFields(edition, read);
}

test("an update of a field that the list shows in another casing asks for the list", () => {
  const document = documentCopy();
  const record = objectAt(document, "paths", "/payment-codes/{id}", "get", "x-same-record");
  objectAt(record, "fields").name = { field: "name", compare: "any-casing" };
  expect(isReadAgain(spec)).toBe(false);
  expect(isReadAgain(specOf(document))).toBe(true);
});
