import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../runner/package-root.ts";
import type { Proof } from "./prove.ts";
import { select } from "./select.ts";

// The same selection that the command makes: each of it is a test.
const selection = select({ quick: true });
const folder = mkdtempSync(join(tmpdir(), "prove-"));
let proof: Proof;
let printed = "";

beforeAll(async () => {
  const file = join(folder, "proof.json");
  printed = await command("npm", ["run", "--silent", "prove", "--", "--quick", "--json", file]);
  try {
    proof = JSON.parse(readFileSync(file, "utf8")) as Proof;
  } catch {
    throw new Error(`npm run prove wrote no proof:\n${printed.slice(-4_000)}`);
  }
}, 20 * 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe("a defect is found at each of its operations, and nothing else is", () => {
  test.each(selection.defects.map(({ name }) => name))("%s", (name) => {
    expect(proof.defects.find((defect) => defect.name === name)).toEqual({
      name,
      found: true,
      missedAt: [],
      checks: expect.any(Array),
      noise: [],
    });
  });
});

describe("a conforming service is left alone", () => {
  test.each([...selection.variants.map(({ name }) => name), "the reference itself"])("%s", (name) => {
    expect(proof.variants.find((variant) => variant.name === name)).toEqual({
      name,
      noise: [],
      unused: expect.any(Array),
    });
  });
});

describe("a null service is not taken for a conforming one, and its run ends in a report", () => {
  test.each(selection.nullServices)("%s", (name) => {
    const found = proof.nullServices.find((service) => service.name === name);
    expect(found).toEqual({ name, conformant: false, verdict: found?.verdict, passing: found?.passing });
    expect(["nonconformant", "inconclusive"]).toContain(found?.verdict);
  });
});

test("no check comes out otherwise in one run than in another", () => {
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
