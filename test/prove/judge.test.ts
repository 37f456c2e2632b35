import { describe, expect, test } from "vitest";
import type { Level } from "../../spec/model/spec.ts";
import type { Digest, Finding } from "./digest.ts";
import {
  isClean,
  isLocated,
  isQuiet,
  judgeDefect,
  judgeNull,
  judgeVariant,
  type Outcome,
  unstable,
} from "./judge.ts";
import { median } from "./prove.ts";

const defect = {
  name: "count-wrong",
  requirements: ["LIST-COUNT", "LIST-ORDER"],
  operations: ["GET /banks", "GET /momos"],
} as const;
const levels = new Map<string, Level>([
  ["LIST-COUNT", "MUST"],
  ["LIST-ORDER", "SHOULD"],
]);
const judged = (outcome: Outcome) => judgeDefect(defect, levels, "requirements", outcome);

function finding(requirement: string, operation: string, outcome: Finding["outcome"] = "fail"): Finding {
  const check = `lists/${requirement} ${operation}`;
  return { check, suite: "lists", requirements: [requirement], operation, outcome, message: "" };
}

function digest(findings: Finding[], more: Partial<Digest> = {}): { digest: Digest } {
  const outcomes = Object.fromEntries(findings.map(({ check, outcome }) => [check, outcome]));
  const blank = {
    problem: null,
    verdict: "nonconformant",
    reportErrors: [],
    requests: 1,
    seconds: 1,
  } as const;
  return { digest: { ...blank, reportErrors: [], findings, outcomes, ...more } };
}

const both = [finding("LIST-COUNT", "GET /banks"), finding("LIST-COUNT", "GET /momos")];

describe("a defect", () => {
  test("is located if it is found at all its operations and at no other", () => {
    const proof = judged(digest(both));
    expect([proof.found, isLocated(proof), isQuiet(proof)]).toEqual([true, true, true]);
    expect(proof.checks).toEqual(both.map(({ check }) => check));
  });

  test("is found but not located if it shows at one of its operations", () => {
    const proof = judged(digest(both.slice(0, 1)));
    expect([proof.found, isLocated(proof), proof.missedAt]).toEqual([true, false, ["GET /momos"]]);
  });

  test("is not found by another requirement's finding, which is named", () => {
    const proof = judged(digest([finding("CURSOR-END", "GET /banks")]));
    expect([proof.found, proof.stirred]).toEqual([false, ["CURSOR-END GET /banks"]]);
  });

  test("that breaks a MUST needs a failure; one that breaks a SHOULD needs a warning", () => {
    expect(judged(digest([finding("LIST-COUNT", "GET /banks", "warn")])).found).toBe(false);
    expect(judged(digest([finding("LIST-ORDER", "GET /banks", "warn")])).found).toBe(true);
    expect(judged(digest([finding("LIST-ORDER", "GET /banks")])).found).toBe(false);
  });

  test("is not found by its requirement at another operation", () => {
    const proof = judged(digest([...both, finding("LIST-COUNT", "GET /countries")]));
    expect([isLocated(proof), proof.stirred]).toEqual([true, ["LIST-COUNT GET /countries"]]);
  });

  test("is in trouble if the suite fails, whatever was found", () => {
    const failed = finding("LIST-TOTAL", "GET /banks", "suite-error");
    expect(isQuiet(judged(digest([...both, failed])))).toBe(false);
  });

  test("proves nothing without a run and its report", () => {
    const lost = judged({ error: "the process ended" });
    expect([lost.found, isLocated(lost), isQuiet(lost)]).toEqual([false, false, false]);
    expect(isQuiet(judged(digest(both, { reportErrors: ["no run"] })))).toBe(false);
  });
});

describe("a variant", () => {
  const variant = { name: "careful", warns: ["LIST-ORDER"] };

  test("is clean with no findings, or with declared warnings alone", () => {
    expect(isClean(judgeVariant(variant, digest([])))).toBe(true);
    expect(judgeVariant(variant, digest([])).unused).toEqual(["LIST-ORDER"]);
    expect(isClean(judgeVariant(variant, digest([finding("LIST-ORDER", "GET /banks", "warn")])))).toBe(true);
  });

  test.each([
    ["an undeclared warning", digest([finding("LIST-FULL-PAGES", "GET /banks", "warn")])],
    ["a failure where a warning was declared", digest([finding("LIST-ORDER", "GET /banks")])],
    ["a failure of the suite", digest([finding("LIST-ORDER", "GET /banks", "suite-error")])],
    ["a refusal to judge it", digest([], { problem: "unreachable" })],
    ["no run", { error: "the process ended" }],
  ])("is not clean with %s", (_what, outcome) => {
    expect(isClean(judgeVariant(variant, outcome))).toBe(false);
  });
});

test("a null service must not conform, and must get a report", () => {
  const outcomes = { a: "pass", b: "skip: no-data" };
  expect(judgeNull("empty", digest([], { verdict: "inconclusive", outcomes }))).toEqual({
    name: "empty",
    conformant: false,
    verdict: "inconclusive",
    passing: 0.5,
  });
  expect(judgeNull("empty", digest([], { verdict: "conformant" })).conformant).toBe(true);
  expect(judgeNull("empty", { error: "the process ended" }).trouble).toBe("the process ended");
});

test("checks that differ from run to run are named with their outcomes", () => {
  const runs = [{ a: "pass", b: "pass" }, { a: "pass", b: "skip: drift" }, { a: "pass" }].map(
    (outcomes) => digest([], { outcomes }).digest,
  );
  expect(unstable(runs)).toEqual([{ check: "b", seen: ["pass", "skip: drift", "not planned"] }]);
  expect(unstable(runs.slice(0, 1))).toEqual([]);
  expect(unstable(runs.slice(0, 2), true)).toEqual([]);
});

test("the median of an even number, an odd number and no values", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
});
