import { describe, expect, test } from "vitest";
import { journalOf } from "../../history/journal.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://a.example/y";
const made = { name: "a", url: "https://a.example/x" };

function mismatches({ entries }: HistoryBuilder): string[] {
  return journalOf(spec, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field }) => field);
}

describe("after null in a create, the value", () => {
  const past = () =>
    new HistoryBuilder(spec)
      .creates("w1", { ...made, events: null }, { shown: { events: ["one"] } })
      .reads("w1", { ...made, events: ["one"] });

  test("may move with what the service shows for null", () => {
    const moved = past()
      .updates("w1", { url }, { ...made, url, events: ["one", "two"] })
      .creates("w2", { ...made, events: null }, { shown: { events: ["one", "two"] } });
    expect(mismatches(moved)).toEqual([]);
  });

  test("may not become one that the service shows for no null", () => {
    const changed = past()
      .updates("w1", { url }, { ...made, url, events: ["one", "three"] })
      .creates("w2", { ...made, events: null }, { shown: { events: ["one", "two"] } });
    expect(mismatches(changed)).toEqual(["events"]);
  });

  test("stays if it was sent later", () => {
    const sent = past()
      .updates("w1", { url, events: ["one"] }, { ...made, url, events: ["one"] })
      .updates("w1", { url }, { ...made, url, events: ["one", "two"] })
      .creates("w2", { ...made, events: null }, { shown: { events: ["one", "two"] } });
    expect(mismatches(sent)).toEqual(["events"]);
  });
});
