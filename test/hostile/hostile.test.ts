/** A spread of the zoo in each run of the tests; `npm run hostile` meets all of it, with whole runs. */

import { beforeAll, describe, expect, test } from "vitest";
import { type Met, meet } from "./meet.ts";
import { SOUND, ZOO } from "./zoo.ts";

const FEW = ["GET /banks", "GET /webhooks", "GET /payouts/{id}"];
const MORE_MEGABYTES = 300;

/** What needs no run of its own to be met, and others by name. */
const CHOSEN = new Set([
  "gzip bombs",
  "bodies of 31 MB",
  "nesting of 1,000,000",
  "a lone surrogate in ids, codes, names and cursors",
  "NUL in ids, codes, names and cursors",
  "controls of a terminal in ids, codes, names and cursors",
  "the token in capitals, in messages",
  "the token in base64 within other text, in messages",
  "the token as the name of a field",
  "the token at the place where bodies are cut",
  "garbage",
  "a closed connection within the body",
  "429 with a Retry-After of a year",
  "SIGHUP 200 ms after the first request",
]);
const chosen = ZOO.filter(({ name, area }) => CHOSEN.has(name) || area === "places" || area === "inputs");

let sound: Met;
beforeAll(async () => {
  sound = await meet(SOUND, { only: FEW, mostMegabytes: Number.POSITIVE_INFINITY, mostSeconds: 170 });
});

test("the zoo holds at least a hundred, each by a name of its own", () => {
  expect(ZOO.length).toBeGreaterThanOrEqual(100);
  expect(new Set(ZOO.map(({ name }) => name)).size).toBe(ZOO.length);
  for (const name of CHOSEN) expect(ZOO.map((each) => each.name)).toContain(name);
});

test("with nothing spoilt nothing is badly handled", () => {
  expect(sound.faults).toEqual([]);
});

describe.concurrent("is handled well:", () => {
  test.each(chosen.map((hostile) => [hostile.name, hostile] as const))("%s", async (_, hostile) => {
    const only = hostile.area === "inputs" ? [] : FEW;
    const mostMegabytes = sound.megabytes + MORE_MEGABYTES;
    const { faults } = await meet(hostile, { only, mostMegabytes, mostSeconds: 170 });
    expect(faults).toEqual([]);
  });
});
