/**
 * Runs the suite on some hostile services, with few checks. `npm run hostile` tries all of them with whole
 * runs.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { commitShare } from "../commit-seed.ts";
import type { Hostile } from "./hostile.ts";
import { type Met, meet } from "./meet.ts";
import { SOUND, ZOO } from "./zoo.ts";

const FEW = ["GET /banks", "GET /webhooks", "GET /payouts/{id}"];
const MORE_MEGABYTES = 300;

/** The cases by area, as unlike as possible. Each commit tries a part of most areas. */
const CHOSEN: Record<string, readonly string[]> = {
  Size: commitShare(["gzip bombs", "nesting of 1,000,000"], 4),
  "Odd text": commitShare(
    [
      "NUL in ids, codes, names and cursors",
      "garbage",
      "a closed connection within the body",
      "controls of a terminal in ids, codes, names and cursors",
    ],
    4,
  ),
  Secrets: commitShare(
    [
      "the token in base64 within other text, in messages",
      "the token at the place where bodies are cut",
      "a webhook's secret in base64",
    ],
    6,
  ),
  Signals: commitShare(["SIGHUP 200 ms after the first request"], 3),
  Disk: commitShare(["in a file", "in /dev/null", "a folder that has the name of the report"], 6),
  Inputs: commitShare(namesOf("inputs"), 18),
};

function namesOf(area: Hostile["area"]): string[] {
  return ZOO.filter((hostile) => hostile.area === area).map(({ name }) => name);
}

let sound: Met;
beforeAll(async () => {
  sound = await meet(SOUND, { only: FEW, mostMegabytes: Number.POSITIVE_INFINITY, mostSeconds: 170 });
});

test("there are at least a hundred hostile services, each with its own name", () => {
  expect(ZOO.length).toBeGreaterThanOrEqual(100);
  expect(new Set(ZOO.map(({ name }) => name)).size).toBe(ZOO.length);
  for (const name of Object.values(CHOSEN).flat()) expect(ZOO.map((each) => each.name)).toContain(name);
});

test("the harness finds no fault if nothing is broken on purpose", () => {
  expect(sound.faults).toEqual([]);
});

const areas = Object.entries(CHOSEN).filter(([, names]) => names.length > 0);
describe.concurrent.each(areas)("%s is handled well:", (_, names) => {
  test.each(names)("%s", async (name) => {
    const hostile = ZOO.find((each) => each.name === name);
    if (hostile === undefined) throw new Error(`there is no ${name}`);
    const only = hostile.area === "inputs" ? [] : FEW;
    const mostMegabytes = sound.megabytes + MORE_MEGABYTES;
    const { faults } = await meet(hostile, { only, mostMegabytes, mostSeconds: 170 });
    expect(faults).toEqual([]);
  });
});
