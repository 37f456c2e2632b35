import { expect, test } from "vitest";
import type { Outcome } from "../../reports/report.ts";
import { applyBaseline, type Baseline } from "../../runner/reporting/baseline.ts";
import { exampleCheck, exampleResult } from "./example.ts";

const picked = exampleCheck("one", { sampledGroup: "one", ownId: "one @caph.2025-06-20" });
const other = exampleCheck("two");
const planned = new Map([picked, other].map((check) => [check.id, check]));

function apply(
  outcomes: [one: Outcome, two: Outcome],
  violated: Record<string, Outcome>,
  change: Partial<Baseline> & { strict?: boolean } = {},
) {
  const { strict = false, ...rest } = change;
  const results = [
    exampleResult(picked, { outcome: outcomes[0] }),
    exampleResult(other, { outcome: outcomes[1] }),
  ];
  const baseline: Baseline = {
    file: "base.json",
    seed: 1,
    depth: "full",
    violated: new Map(Object.entries(violated)),
    ...rest,
  };
  const applied = applyBaseline(results, baseline, { strict, depth: "full", planned });
  return { known: applied.results.flatMap(({ id, known }) => (known ? [id] : [])), notices: applied.notices };
}

test("failures of the baseline are marked, also under the id that the check has at another depth", () => {
  expect(apply(["fail", "fail"], { two: "fail" }).known).toEqual(["two"]);
  expect(apply(["fail", "fail"], { "one @caph.2025-06-20": "fail" }).known).toEqual(["one"]);
  expect(apply(["fail", "fail"], { "one @caph.2025-08-23": "fail" }).known).toEqual([]);
});

test("a warning of the baseline is a failure only under strict", () => {
  expect(apply(["warn", "pass"], { one: "warn" }).known).toEqual([]);
  expect(apply(["warn", "pass"], { one: "warn" }, { strict: true }).known).toEqual(["one"]);
  expect(apply(["fail", "pass"], { one: "warn" }).known).toEqual([]);
});

test("failures of the baseline that are gone are named, and so is what a quick baseline can't know", () => {
  const { known, notices } = apply(["fail", "pass"], { two: "fail" }, { depth: "quick" });
  expect(known).toEqual([]);
  expect(notices).toEqual([
    "1 check that fails in the baseline passes now; a new baseline keeps them from failing again unseen",
    "the baseline has depth quick: it has none of the violations that only depth full finds",
  ]);
});
