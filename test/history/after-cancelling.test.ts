import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { journalOf } from "../../history/journal/journal.ts";
import { documentCopy, objectAt, spec, specOf } from "../spec/package-spec.ts";
import { HEAD, historyOfCodes } from "./builder.ts";

test("a cancelled code still exists for reads, and what updates of it do is open", () => {
  const past = historyOfCodes(spec)
    .reads("c1", { name: "a", status: "pending" })
    .updates("c1", { status: "cancelled" })
    .reads("c1", { name: "a", status: "cancelled" })
    .updates("c1", { name: "b" });
  const { answers } = new History(spec, HEAD, past.entries);
  expect(past.entries.map((entry) => answers.classification(entry).kind)).toEqual([
    "valid",
    "valid",
    "valid",
    "doubtful",
  ]);
});

test("an update after or beside a cancellation may change any field that it sends", () => {
  const document = documentCopy();
  const code = objectAt(document, "components", "schemas", "PaymentCode");
  Object.assign(code, { "x-settled": ["metadata"] });
  const edition = specOf(document);
  const [old, other] = [{ conformance: "a" }, { conformance: "b" }];
  for (const beside of [false, true]) {
    const { entries } = historyOfCodes(edition)
      .reads("c1", { metadata: old, status: "pending" })
      .updates("c1", { status: "cancelled" }, { metadata: old, status: "cancelled" })
      .updates("c1", { metadata: other }, { metadata: other, status: "cancelled" }, { beside })
      .reads("c1", { metadata: other, status: "cancelled" });
    const { sightings } = journalOf(edition, HEAD, entries);
    expect(sightings.filter(({ fits }) => !fits).map(({ field }) => field)).toEqual([]);
  }
});
