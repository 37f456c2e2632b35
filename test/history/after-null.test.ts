import { describe, expect, test } from "vitest";
import { journalOf } from "../../history/journal.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://a.example/y";
const made = { name: "a", url: "https://a.example/x" };

function mismatches({ entries }: HistoryBuilder): string[] {
  return journalOf(spec, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, standing }) => `${field} ${standing}`);
}

describe("another list than the one that the service chose for null", () => {
  const past = () =>
    new HistoryBuilder(spec)
      .creates("w1", { ...made, events: null }, { shown: { events: ["one"] } })
      .reads("w1", { ...made, events: ["one"] });

  test("is suspected after an update without it", () => {
    const changed = past().updates("w1", { url }, { ...made, url, events: ["one", "two"] });
    expect(mismatches(changed)).toEqual(["events suspected"]);
  });

  test("is suspected after an update of another resource", () => {
    const changed = past()
      .creates("w2", { ...made, events: ["one"] })
      .updates("w2", { url }, { ...made, url, events: ["one"] })
      .reads("w1", { ...made, events: ["one", "two"] });
    expect(mismatches(changed)).toEqual(["events suspected"]);
  });

  test("is proven if a list was sent later", () => {
    const sent = past()
      .updates("w1", { url, events: ["one"] }, { ...made, url, events: ["one"] })
      .updates("w1", { url }, { ...made, url, events: ["one", "two"] });
    expect(mismatches(sent)).toEqual(["events proven"]);
  });
});
