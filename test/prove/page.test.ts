import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defects, variants } from "../../reference/index.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { figures } from "./figures.ts";
import type { DefectProof } from "./judge.ts";
import { onto } from "./onto.ts";
import { page, stableLines } from "./page.ts";
import type { Proof } from "./prove.ts";

const found = (name: string, operations: readonly string[], isFound = true): DefectProof => ({
  name,
  found: isFound,
  missedAt: [],
  checks: operations.map((operation) => `some/REQUIREMENT ${operation}`),
  met: "requirements",
  stirred: [],
});

const perfect: Proof = {
  defects: defects.map(({ name, operations, equivalent }) =>
    found(name, operations, equivalent === undefined),
  ),
  variants: [...variants, { name: "the reference itself" }].map(({ name }) => ({
    name,
    noise: [],
    unused: [],
  })),
  nullServices: [{ name: "empty-list", conformant: false, verdict: "nonconformant", passing: 0.25 }],
  stability: [{ name: "the reference itself", runs: 20, differing: [] }],
  sound: { requests: 5000, seconds: 4, runs: 20, atOnce: 2 },
  detecting: [],
};

const background = { figures: [], wholeShare: 100, variantShare: 1, sample: 1, seed: 1, provedAgain: 0 };

const committed = readFileSync(join(packageRoot(), "docs/proof.md"), "utf8");

test("the page names only what exists", () => {
  const names = new Set([...defects, ...variants].map(({ name }) => name));
  const [, notFound = ""] = committed.split("### Not found");
  const listed = [...(notFound.split("###")[0] ?? "").matchAll(/^- `([^`]+)`/gm)].map(
    ([, name = ""]) => name,
  );
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
  const stable = stableLines(committed).filter((line) => line.startsWith("Conforming services: `"));
  expect(stable.map((line) => /`([^`]+)`/.exec(line)?.[1] ?? "").filter((name) => !names.has(name))).toEqual(
    [],
  );
});

test("the page of a sample describes the sample only", () => {
  const some = { ...perfect, defects: perfect.defects.slice(0, 40) };
  const text = page(some, { ...background, sample: 100 });
  expect(text).toContain(`a sample: 40 of the ${defects.length} defects`);
  expect(text).toContain("npm run prove -- --sample 100 --seed 1 --whole-share 100");
  expect(stableLines(text).length).toBeLessThan(stableLines(page(perfect, background)).length);
});

test("new results replace older ones", () => {
  const [first, second, ...others] = perfect.defects;
  if (first === undefined || second === undefined) throw new Error("there are no defects");
  const again = { ...first, checks: ["other/CHECK"], missedAt: ["GET /banks"] };
  const later = { ...perfect, defects: [again, second], sound: { ...perfect.sound, runs: 0 } };
  const gone = found("no-such-defect", ["GET /momos"]);
  const earlier = { ...perfect, defects: [first, gone, ...others] };
  const { defects: whole, sound, detecting } = onto(earlier, { ...later, variants: [], nullServices: [] });
  expect(whole).toHaveLength(perfect.defects.length);
  expect(whole).toContainEqual(again);
  expect(whole).toContainEqual(second);
  expect(whole).not.toContainEqual(first);
  expect(whole).not.toContainEqual(gone);
  expect(sound).toEqual(perfect.sound);
  expect(detecting).toContain("other/CHECK");
  expect(page(perfect, { ...background, provedAgain: 2 })).toContain("2 of all these were proved anew");
});

test("shortfalls show in the figures and in the page", () => {
  const [first, ...others] = perfect.defects;
  if (first === undefined) throw new Error("there are no defects");
  const missed: Proof = {
    ...perfect,
    defects: [{ ...first, found: false, missedAt: ["GET /banks"] }, ...others],
  };
  const short = figures(missed).filter(({ well }) => !well);
  expect(short.map(({ name }) => name)).toEqual([
    "Defects found",
    "Defects found at each of their operations",
  ]);
  expect(figures(perfect).filter(({ well }) => !well)).toEqual([]);
  const lines = stableLines(page(perfect, background));
  const changed = stableLines(page(missed, background)).filter((line) => !lines.includes(line));
  expect(changed).toEqual([expect.stringContaining(first.name.split("@")[0] ?? "")]);
});

test("a conforming null service and an unstable check are shortfalls", () => {
  const proof: Proof = {
    ...perfect,
    nullServices: [{ name: "empty-list", conformant: true, verdict: "conformant", passing: 1 }],
    stability: [
      { name: "the reference itself", runs: 2, differing: [{ check: "a", seen: ["pass", "fail"] }] },
    ],
  };
  expect(figures(proof).filter(({ well }) => !well)).toEqual([
    { name: "Null services taken for conforming", value: "1 of 1", well: false },
    { name: "Services with an outcome that differs from run to run", value: "1 of 1", well: false },
  ]);
});
