import type { Check } from "../../client/check.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { beginningCost, costOf, estimate } from "./estimate.ts";
import { type PlannedCheck, requirementsAndOperation } from "./plan.ts";
import value from "./value.json" with { type: "json" };

/** Numbers of defects by requirement and operation, from `npm run value`. */
const FOUND: Record<string, Record<string, number>> = value;
const LEAST_COST = 0.2;

/** Returns the plan without the checks that find least for their requests, until the run fits. */
export function withinRequestBudget(
  planned: readonly PlannedCheck[],
  budget: { requests: number; why: string; depth: string },
): PlannedCheck[] {
  const tried = planned.filter(({ skip }) => skip === undefined);
  const ranked = byFindsPerRequest(
    tried.map(({ check }) => check),
    budget.depth,
  );
  const skip = { reason: "left-out" as const, message: `left out: ${budget.why}` };
  const withFirst = (count: number): PlannedCheck[] => {
    const chosen = new Set(ranked.slice(0, count));
    return planned.map((each) => (each.skip || chosen.has(each.check) ? each : { ...each, skip }));
  };
  const fits = (count: number) =>
    estimate(withFirst(count), { depth: budget.depth }).requests <= budget.requests;
  let least = 1;
  let most = ranked.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return withFirst(least);
}

interface Bundle {
  checks: Check[];
  found: number;
  cost: number;
}

/**
 * Returns the checks by how much they find for their requests. The best checks come first. The first check of
 * a group pays for shared requests.
 */
function byFindsPerRequest(checks: readonly Check[], depth: string): Check[] {
  const found = foundBy(checks);
  const groups = groupedBy(checks, ({ suite, operation }) => `${suite} ${operation}`);
  const bundles = [...groups.values()].flatMap((group) => bundlesOf(group, found, depth));
  return bundles.sort((a, b) => findsPerRequest(b) - findsPerRequest(a)).flatMap((bundle) => bundle.checks);
}

/**
 * Returns the checks of a group in bundles that are worth about the same for each request. The first bundle
 * grows while the next check finds more per request than it.
 */
function bundlesOf(group: readonly Check[], found: ReadonlyMap<Check, number>, depth: string): Bundle[] {
  const { first, each } = groupCosts(group[0]?.suite ?? "", depth);
  const bestFirst = [...group].sort((a, b) => (found.get(b) ?? 0) - (found.get(a) ?? 0));
  let opening: Bundle = { checks: [], found: 0, cost: first };
  const others: Bundle[] = [];
  for (const check of bestFirst) {
    const single = { checks: [check], found: found.get(check) ?? 0, cost: each };
    const isWorthMore = opening.checks.length === 0 || findsPerRequest(single) > findsPerRequest(opening);
    if (others.length > 0 || !isWorthMore) others.push(single);
    else
      opening = {
        checks: [...opening.checks, check],
        found: opening.found + single.found,
        cost: opening.cost + each,
      };
  }
  return [opening, ...others];
}

function findsPerRequest({ found, cost }: Bundle): number {
  return found / cost;
}

function groupCosts(suite: string, depth: string): { first: number; each: number } {
  const { requests, alone } = costOf(suite, depth);
  const each = Math.max(LEAST_COST, requests);
  return { first: Math.max(0, alone.requests - beginningCost(depth) - each), each };
}

/** Returns how many seeded defects each check found, as far as test/proof has counted them. */
function foundBy(checks: readonly Check[]): Map<Check, number> {
  const sharing = groupedBy(checks, requirementsAndOperation);
  return new Map(
    checks.map((check) => {
      const found = check.requirements.reduce((sum, id) => sum + (FOUND[id]?.[check.operation] ?? 0), 0);
      return [check, found / (sharing.get(requirementsAndOperation(check))?.length ?? 1)];
    }),
  );
}
