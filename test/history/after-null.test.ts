import { describe, expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import { documentCopy, objectAt, spec, specOf } from "../spec/package-spec.ts";
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

describe("a field whose null the answer shows", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "PaymentCode", "properties", "name").type = ["string", "null"];
  const edition = specOf(document);
  const names = {
    create: "createFinancialAccount",
    update: "updatePaymentCode",
    read: "getPaymentCode",
    list: "listPaymentCodes",
  };
  const name = `${HEAD.runTag}-1 a`;
  const nulled = (answered: { name?: string | null }) =>
    new HistoryBuilder(edition, names)
      .updates("c1", { name })
      .reads("c1", { name })
      .updates("c1", { name: null }, answered);
  const afterNull = (answered: { name?: string | null }, wait: number) =>
    journalOf(edition, HEAD, nulled(answered).waits(wait).reads("c1", { name }).entries)
      .sightings.filter(({ fits }) => !fits)
      .map(({ duty, standing, write }) => [duty, standing, write?.operation?.id]);

  test("must be null in reads after the timeout", () => {
    expect(afterNull({ name: null }, 2_000)).toEqual([["stored", "proven", "updatePaymentCode"]]);
    expect(afterNull({ name: null }, 0)).toEqual([["stored", "open", "updatePaymentCode"]]);
  });

  test("may stay if the answer shows it, or does not show the field", () => {
    expect(afterNull({ name }, 2_000)).toEqual([]);
    expect(afterNull({}, 2_000)).toEqual([]);
  });
});
