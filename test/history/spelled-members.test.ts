/** Members of lists may be spelled differently in two answers, and null may be left out. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import { sameFieldValue } from "../../history/values/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const id = "0b8a7c52-7a0e-4c29-9d4b-3f1f6f6a1c11";

function mismatches(author: JsonObject): string[] {
  const play = { id, title: "a", authors: [{ name: "Ada", born: null }, { name: "Bo" }] };
  const { entries } = new HistoryBuilder(theatre)
    .answers("POST /stage/plays", { result: play }, { sent: { title: "a", authors: play.authors } })
    .answers("GET /stage/plays/{play}", { result: play }, { path: id })
    .answers(
      "PATCH /stage/plays/{play}",
      { result: { ...play, title: "b", authors: [author, { name: "Bo" }] } },
      { path: id, sent: { title: "b" } },
    );
  return journalOf(theatre, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, standing }) => `${field} ${standing}`);
}

test("an answer may leave out null in the members of a list", () => {
  expect(mismatches({ name: "Ada" })).toEqual([]);
  expect(mismatches({ name: "Ada", born: 1815 })).toEqual(["authors proven"]);
});

test("times in the members of a list are compared as instants", () => {
  const at = (time: string) => [{ at: time }, { at: "2026-01-01T00:00:00Z" }];
  expect(sameFieldValue(at("2026-01-02T01:00:00+01:00"), at("2026-01-02T00:00:00Z").reverse())).toBe(true);
  expect(sameFieldValue(at("2026-01-02T01:00:00+01:00"), at("2026-01-02T01:00:00Z"))).toBe(false);
});
