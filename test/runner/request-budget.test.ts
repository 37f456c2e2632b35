import { expect, test } from "vitest";
import { estimate } from "../../runner/planning/estimate.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { withinRequestBudget } from "../../runner/planning/request-budget.ts";
import value from "../../runner/planning/value.json" with { type: "json" };
import { settingsFor } from "../prove/run.ts";
import { exampleCheck, spec } from "./example.ts";

const planned = planChecks(spec, settingsFor({ fixtures: {} } as never, 1, {}));
const tried = (plan: typeof planned) => plan.flatMap(({ check, skip }) => (skip ? [] : [check]));
const withBudget = (requests: number) =>
  withinRequestBudget(planned, { requests, why: "too little time", depth: "quick" });

test("checks that do not fit a request budget are left out, with the reason, and the others keep their order", () => {
  const plan = withBudget(100);
  expect(plan.map(({ check }) => check.id)).toEqual(planned.map(({ check }) => check.id));
  expect(estimate(plan, { depth: "quick" }).requests).toBeLessThanOrEqual(100);
  expect(tried(plan).length).toBeGreaterThan(10);
  const left = plan.find(({ skip }) => skip !== undefined)?.skip;
  expect(left).toEqual({ reason: "left-out", message: "left out: too little time" });
  expect(tried(withBudget(400)).length).toBeGreaterThan(tried(plan).length);
});

test("a plan that fits is kept whole", () => {
  expect(withBudget(1_000_000)).toEqual(planned);
});

test("at least one check runs, and checks that were left out before stay left out", () => {
  expect(tried(withBudget(0))).toHaveLength(1);
  const skip = { reason: "read-only" as const, message: "no" };
  const plan = withinRequestBudget(
    planned.map((each) => ({ ...each, skip })),
    { requests: 50, why: "x", depth: "quick" },
  );
  expect(plan.every((each) => each.skip === skip)).toBe(true);
});

test("checks that find more defects in the proof go first", () => {
  // Checks of LIST-COUNT find defects at GET /webhooks. The other check only makes an observation.
  expect(value["LIST-COUNT"]["GET /webhooks"]).toBeGreaterThan(0);
  const judging = exampleCheck("judging", { suite: "lists" });
  const noting = exampleCheck("noting", { suite: "lists", requirements: ["SILENCE-TOKEN"] });
  const plan = withinRequestBudget([{ check: noting }, { check: judging }], {
    requests: 0,
    why: "x",
    depth: "quick",
  });
  expect(tried(plan).map(({ id }) => id)).toEqual(["judging"]);
});

test("the values name existing requirements and operations", () => {
  const operations = new Set(spec.operations.map(({ key }) => key));
  for (const [requirement, found] of Object.entries(value)) {
    expect(spec.requirements.has(requirement), requirement).toBe(true);
    for (const operation of Object.keys(found)) expect(operations, operation).toContain(operation);
  }
});
