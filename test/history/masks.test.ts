/** The operations of one resource may mask names and phone numbers differently (`x-maskable`). */

import { expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { documentCopy, objectAt, spec, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "./builder.ts";

const head = { ...HEAD, fixtures: { paymentCode: "c1" } };

function mismatches({ entries }: HistoryBuilder, edition: Spec = spec): string[] {
  return journalOf(edition, head, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, standing }) => `${field} ${standing}`);
}

const code = (name: string, payingPhoneNumber: string) => ({
  name,
  customerTarget: { name: "Ada", payingPhoneNumber },
});

function answered(phone: string): HistoryBuilder {
  const masked = "+2376*****01";
  return historyOfCodes(spec)
    .reads("c1", code("a", masked))
    .reads("c1", code("a", masked))
    .updates("c1", { name: "b" }, code("b", phone))
    .reads("c1", code("b", masked));
}

test("the answer to an update may show a number that reads mask", () => {
  expect(mismatches(answered("+237612345601"))).toEqual([]);
});

test("a number that differs before or after the mask is another one", () => {
  expect(mismatches(answered("+237612345602"))).toEqual(["customerTarget suspected"]);
});

test("a text that may be masked may be shown masked after it was sent", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "Webhook", "properties", "name")["x-maskable"] = true;
  const url = "https://a.example/x";
  const edition = specOf(document);
  const past = (shown: string) =>
    new HistoryBuilder(edition)
      .creates("w1", { name: "Ada", url, events: ["one"] })
      .updates("w1", { url, name: "Grace" }, { url, name: shown });
  expect(mismatches(past("G****"), edition)).toEqual([]);
  expect(mismatches(past("A****"), edition)).toEqual(["name proven"]);
});
