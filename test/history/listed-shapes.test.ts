/** A list may show a field of a resource in another shape than its read. */

import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { documentCopy, objectAt, specOf } from "../spec/package-spec.ts";
import { HEAD, historyOfCodes } from "./builder.ts";

const createTime = "2026-01-01T00:00:00Z";
const [old, text] = [`${HEAD.runTag}-1`, `${HEAD.runTag}-2`];

test("a field that the list shows as an object is not compared with the text of the read", () => {
  const document = documentCopy();
  const listed = objectAt(document, "components", "schemas", "PaymentCodeListItem", "properties");
  listed.name = { type: "object", properties: { text: { type: "string" } } };
  const code = objectAt(document, "paths", "/payment-codes/{id}");
  objectAt(code, "get", "x-same-record", "fields").name = "name/text";
  objectAt(code, "patch", "x-read-back").list = "listPaymentCodes";
  const edition = specOf(document);
  const past = historyOfCodes(edition)
    .reads("c1", { name: old, createTime })
    .updates("c1", { name: text })
    .lists([{ id: "c1", name: { text }, createTime }])
    .reads("c1", { name: text, createTime });
  const { journal } = new History(edition, HEAD, past.entries);
  expect(journal.sightings.filter(({ fits }) => !fits)).toEqual([]);
  expect(journal.sightings.length).toBeGreaterThan(0);
});
