import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../runner/package-root.ts";
import { commitSeed } from "../commit-seed.ts";
import { isLocated } from "./judge.ts";
import type { Proof } from "./prove.ts";
import { select } from "./select.ts";

/** `npm run prove -- --quick` with this seed picks the same sample. */
const seed = commitSeed();
const selection = select({ quick: true, seed });
const folder = mkdtempSync(join(tmpdir(), "prove-"));
let proof: Proof;
let printed = "";

beforeAll(async () => {
  const file = join(folder, "proof.json");
  printed = await command("npm", [
    "run",
    "--silent",
    "prove",
    "--",
    "--quick",
    "--seed",
    String(seed),
    "--json",
    file,
  ]);
  try {
    proof = JSON.parse(readFileSync(file, "utf8")) as Proof;
  } catch {
    throw new Error(`npm run prove wrote no proof:\n${printed.slice(-4_000)}`);
  }
}, 20 * 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** On a busy machine a run may miss a defect for lack of time, but no more than one in twenty. */
const FOUND_AT_LEAST = 0.95;

test("defects are found at their operations, and each run ends in a sound report", () => {
  expect(proof.defects.map(({ name }) => name).sort()).toEqual(
    selection.defects.map(({ name }) => name).sort(),
  );
  expect(proof.defects.filter((defect) => "trouble" in defect)).toEqual([]);
  const detectable = selection.defects.filter(({ equivalent }) => equivalent === undefined);
  const missed = detectable.filter(
    ({ name }) => !proof.defects.some((known) => known.name === name && isLocated(known)),
  );
  expect(
    1 - missed.length / detectable.length,
    `not found: ${missed.map(({ name }) => name).join(", ")}`,
  ).toBeGreaterThanOrEqual(FOUND_AT_LEAST);
});

describe("a conforming service gets no finding", () => {
  test.each([...selection.variants.map(({ name }) => name), "the reference itself"])("%s", (name) => {
    expect(proof.variants.find((variant) => variant.name === name)).toEqual({
      name,
      noise: [],
      unused: expect.any(Array),
    });
  });
});

test("every check has the same outcome in each run", () => {
  expect(proof.stability).toEqual([
    { name: "the reference itself", runs: selection.soundRuns, differing: [] },
  ]);
});

function command(name: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(name, args, { cwd: packageRoot(), maxBuffer: 2 ** 26 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
