/** The specification does not say if an id in another casing names the same resource. */

import { expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const made = { name: "a", url: "https://a.example/x", events: ["one"] };
const { url } = made;

function updatedAs(id: string, shownId: string): HistoryBuilder {
  return new HistoryBuilder(spec)
    .creates("ab12-cd", made)
    .updates(id, { url, name: "b" }, { ...made, name: "b", id: shownId });
}

function wrongIds({ entries }: HistoryBuilder): string[] {
  return journalOf(spec, HEAD, entries).wrongIds.map(({ shown }) => shown);
}

function mismatches({ entries }: HistoryBuilder): string[] {
  return journalOf(spec, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, duty, standing }) => `${field} ${duty} ${standing}`);
}

test("the answer to an update may show the id in the casing of the service", () => {
  expect(wrongIds(updatedAs("AB12-CD", "ab12-cd"))).toEqual([]);
  expect(wrongIds(updatedAs("AB12-CD", "ab12-ce"))).toEqual(["ab12-ce"]);
});

test("the answer to an update under the id of the create must show it exactly", () => {
  expect(wrongIds(updatedAs("ab12-cd", "AB12-CD"))).toEqual(["AB12-CD"]);
});

test("an update under the id in another casing may change the resource", () => {
  const past = updatedAs("AB12-CD", "ab12-cd").reads("ab12-cd", { ...made, name: "b" });
  expect(mismatches(past)).toEqual([]);
});
