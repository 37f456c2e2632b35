import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defects, variants } from "../../reference/index.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { figures } from "./figures.ts";
import { findGaps } from "./gaps.ts";
import type { DefectProof } from "./judge.ts";
import { onto } from "./onto.ts";
import { page, stableLines } from "./page.ts";
import type { Proof } from "./prove.ts";
import { ownSpec } from "./run.ts";

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

const background = { figures: [], gaps: [], wholeShare: 100, variantShare: 1, anew: 0 };

const file = join(packageRoot(), "docs/proof.md");

test.skipIf(!existsSync(file))("the page tells of every defect and variant, each found and clean", () => {
  const committed = stableLines(readFileSync(file, "utf8"));
  const without = (lines: string[]) => lines.filter((line) => !line.startsWith("Checks without a defect"));
  expect(without(committed)).toEqual(without(stableLines(page(perfect, background))));
});

test("what is proved anew takes the place of what was proved before", () => {
  const [first] = perfect.defects;
  if (first === undefined) throw new Error("there are no defects");
  const again = { ...first, checks: ["other/CHECK"], missedAt: ["GET /banks"] };
  const later = {
    ...perfect,
    defects: [again, found("new-one", ["GET /momos"])],
    sound: { ...perfect.sound, runs: 0 },
  };
  const { defects: whole, sound, detecting } = onto(perfect, { ...later, variants: [], nullServices: [] });
  expect(whole).toHaveLength(perfect.defects.length + 1);
  expect(whole).toContainEqual(again);
  expect(whole).not.toContainEqual(first);
  expect(sound).toEqual(perfect.sound);
  expect(detecting).toContain("other/CHECK");
  expect(page(perfect, { ...background, anew: 2 })).toContain("2 of all these were proved anew");
});

test("what falls short shows in the figures and in the page", () => {
  const [first, ...others] = perfect.defects;
  if (first === undefined) throw new Error("there are no defects");
  const missed: Proof = {
    ...perfect,
    defects: [{ ...first, found: false, missedAt: ["GET /banks"] }, ...others],
  };
  const short = figures(missed, []).filter(({ well }) => !well);
  expect(short.map(({ name }) => name)).toEqual([
    "Defects found",
    "Defects found at each of their operations",
  ]);
  expect(figures(perfect, []).filter(({ well }) => !well)).toEqual([]);
  const lines = stableLines(page(perfect, background));
  const changed = stableLines(page(missed, background)).filter((line) => !lines.includes(line));
  expect(changed).toEqual([expect.stringContaining(first.name.split("@")[0] ?? "")]);
});

test("a conforming null service, an unstable check and an unexplained gap fall short", () => {
  const proof: Proof = {
    ...perfect,
    nullServices: [{ name: "empty-list", conformant: true, verdict: "conformant", passing: 1 }],
    stability: [
      { name: "the reference itself", runs: 2, differing: [{ check: "a", seen: ["pass", "fail"] }] },
    ],
  };
  const gap = { requirement: "LIST-COUNT", operation: "GET /banks", suite: "lists", checks: ["a"] };
  expect(figures(proof, [gap, { ...gap, reason: "known" }]).filter(({ well }) => !well)).toEqual([
    { name: "Null services taken for conforming", value: "1 of 1", well: false },
    { name: "Services with an outcome that differs from run to run", value: "1 of 1", well: false },
    { name: "Groups of checks without a defect and without a reason", value: "1 of 2", well: false },
  ]);
});

test("checks are gaps until one of their group detects, or an entry says why none does", () => {
  const spec = ownSpec();
  const { gaps } = findGaps(spec, [], []);
  const gap = gaps.find(({ checks }) => checks.length > 1);
  if (gap === undefined) throw new Error("no group has several checks");
  const same = ({ requirement, operation, suite }: typeof gap) =>
    requirement === gap.requirement && operation === gap.operation && suite === gap.suite;
  expect(findGaps(spec, gap.checks.slice(0, 1), []).gaps.some(same)).toBe(false);
  const excuse = {
    requirement: `${gap.requirement.slice(0, 4)}*`,
    operation: gap.operation,
    reason: "seen at work elsewhere",
  };
  const explained = findGaps(spec, [], [excuse]);
  expect(explained.gaps.find(same)?.reason).toBe(excuse.reason);
  expect(explained.idle).toEqual([]);
  expect(findGaps(spec, [], [{ suites: ["nowhere"], reason: "none" }]).idle).toHaveLength(1);
});
