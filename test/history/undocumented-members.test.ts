/** Answers may show undocumented members, and not all need to show the same. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { journalOf } from "../../history/journal/journal.ts";
import { recordDifferences } from "../../history/lists/same-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { operationById } from "../../spec/operations.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const id = "0b8a7c52-7a0e-4c29-9d4b-3f1f6f6a1c11";
const staging = { form: "arena", sectors: { N: 100 } };

function mismatches(shown: JsonObject): string[] {
  const play = { id, title: "a", minutes: 90, staging };
  const { entries } = new HistoryBuilder(theatre)
    .answers("POST /stage/plays", { result: play }, { sent: { title: "a", minutes: 90, staging } })
    .answers("GET /stage/plays/{play}", { result: play }, { path: id })
    .answers(
      "PATCH /stage/plays/{play}",
      { result: { ...play, title: "b", ...shown } },
      { path: id, sent: { title: "b" } },
    );
  return mismatchesIn({ entries });
}

function mismatchesIn({ entries }: Pick<HistoryBuilder, "entries">): string[] {
  return journalOf(theatre, HEAD, entries)
    .sightings.filter(({ fits }) => !fits)
    .map(({ field, standing }) => `${field} ${standing}`);
}

test("an object with alternatives is compared without undocumented members", () => {
  expect(mismatches({ staging: { ...staging, seats: 900 } })).toEqual([]);
  expect(mismatches({ staging: { ...staging, sectors: { N: 200 } } })).toEqual(["staging proven"]);
});

test("a list shows an object with alternatives as the read does, undocumented members aside", () => {
  const read = operationById(theatre, "getPlay");
  const play = { id, title: "a", staging };
  const differ = (shown: JsonObject) =>
    recordDifferences(theatre, read, play, { ...play, staging: shown }).map(({ pointer }) => pointer);
  expect(differ({ ...staging, seats: 900 })).toEqual([]);
  expect(differ({ ...staging, sectors: { N: 200 } })).toEqual(["/staging"]);
});

test("a map of objects is compared without undocumented members", () => {
  const path = { path: "n1", outer: { play: id } };
  const nightPath = "/stage/plays/{play}/nights/{slot}";
  const night = { slot: "n1", tiers: { gold: { count: 5 } } };
  const past = (tiers: JsonObject) =>
    new HistoryBuilder(theatre)
      .answers(`PUT ${nightPath}`, { result: night }, { ...path, sent: { tiers: night.tiers } })
      .answers(`GET ${nightPath}`, { result: night }, path)
      .waits(5_000)
      .answers(`GET ${nightPath}`, { result: { ...night, tiers } }, path);
  expect(mismatchesIn(past({ gold: { count: 5, left: 3 } }))).toEqual([]);
  expect(mismatchesIn(past({ gold: { count: 6 } }))).not.toEqual([]);
});
