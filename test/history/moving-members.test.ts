/** Members of maps that another client writes prove nothing about the service. */

import { expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, historyOfCodes } from "./builder.ts";

const head = { ...HEAD, fixtures: { "payment-code": "c1" } };

/** Another client writes `ledger` before the update, between two reads, and after it. */
function mismatches(ledgers: [first: string, second: string]): string[] {
  const [first, second] = ledgers;
  const metadata = (ledger: string, till: string) => ({ metadata: { ledger, till } });
  const past = historyOfCodes(spec)
    .reads("c1", metadata(first, "old"))
    .waits(5_000)
    .reads("c1", metadata(second, "old"))
    .updates("c1", { metadata: { till: "new" } }, metadata("3", "new"))
    .waits(5_000)
    .reads("c1", metadata("4", "new"));
  return journalOf(spec, head, past.entries)
    .sightings.filter(({ fits, standing }) => !fits && standing !== "open")
    .map(({ duty, field }) => `${duty} ${field}`);
}

test("a member that got a value without a write of the run is not compared after a write", () => {
  expect(mismatches(["1", "2"])).toEqual(["stable metadata"]);
  expect(mismatches(["1", "1"])).toEqual(["stored metadata"]);
});

test("a member with a value that the run sent is compared", () => {
  const past = historyOfCodes(spec)
    .updates("c1", { metadata: { till: "mine" } })
    .updates("c1", { metadata: { till: "yours" } })
    .reads("c1", { metadata: { till: "yours" } })
    .waits(5_000)
    .reads("c1", { metadata: { till: "mine" } });
  const wrong = journalOf(spec, head, past.entries).sightings.filter(({ fits }) => !fits);
  expect(wrong.map(({ field }) => field)).toEqual(["metadata"]);
});
