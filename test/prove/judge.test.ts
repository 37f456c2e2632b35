import { describe, expect, test } from "vitest";
import type { Defect } from "../../reference/index.ts";
import type { Digest, Finding } from "./digest.ts";
import { isClean, isLocated, isQuiet, judgeDefect, judgeNull, judgeVariant, unstable } from "./judge.ts";
import { median } from "./prove.ts";

const defect: Defect = {
  name: "count-wrong",
  description: "",
  requirement: "LIST-COUNT",
  alsoBreaks: ["LIST-TOTAL"],
  row: 30,
  level: "MUST",
  operations: ["GET /banks", "GET /momos"],
  hooks: {},
};

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
  test("found at all its operations and nowhere else", () => {
    const proof = judgeDefect(defect, digest(both));
    expect([proof.found, isLocated(proof), isQuiet(proof)]).toEqual([true, true, true]);
    expect(proof.checks).toEqual(both.map(({ check }) => check));
  });

  test("found at one of its operations is not located", () => {
    const proof = judgeDefect(defect, digest(both.slice(0, 1)));
    expect([proof.found, isLocated(proof), proof.missedAt]).toEqual([true, false, ["GET /momos"]]);
  });

  test("a finding on another requirement does not find it", () => {
    const proof = judgeDefect(defect, digest([finding("CURSOR-END", "GET /banks")]));
    expect([proof.found, isQuiet(proof)]).toEqual([false, false]);
  });

  test("a warning does not find what breaks a MUST", () => {
    const proof = judgeDefect(defect, digest([finding("LIST-COUNT", "GET /banks", "warn")]));
    expect([proof.found, isQuiet(proof)]).toEqual([false, false]);
  });

  test("its own requirement at an operation that is not at fault is noise", () => {
    const proof = judgeDefect(defect, digest([...both, finding("LIST-COUNT", "GET /countries")]));
    expect([isLocated(proof), isQuiet(proof)]).toEqual([true, false]);
  });

  test("what cannot but break with it is no noise, a failure of the suite always is", () => {
    const also = finding("LIST-TOTAL", "GET /banks");
    expect(isQuiet(judgeDefect(defect, digest([...both, also])))).toBe(true);
    const failed = finding("LIST-TOTAL", "GET /banks", "suite-error");
    expect(isQuiet(judgeDefect(defect, digest([...both, failed])))).toBe(false);
  });

  test("a run that could not be had, or not be reported, proves nothing", () => {
    const lost = judgeDefect(defect, { error: "the process ended" });
    expect([lost.found, isLocated(lost), isQuiet(lost)]).toEqual([false, false, false]);
    expect(isQuiet(judgeDefect(defect, digest(both, { reportErrors: ["no run"] })))).toBe(false);
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

test("checks that differ from run to run are named with what was seen", () => {
  const runs = [{ a: "pass", b: "pass" }, { a: "pass", b: "skip: drift" }, { a: "pass" }].map(
    (outcomes) => digest([], { outcomes }).digest,
  );
  expect(unstable(runs)).toEqual([{ check: "b", seen: ["pass", "skip: drift", "not planned"] }]);
  expect(unstable(runs.slice(0, 1))).toEqual([]);
  expect(unstable(runs.slice(0, 2), true)).toEqual([]);
});

test("the median of even, odd and no counts", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
});
