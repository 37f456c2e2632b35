import costs from "./costs.json" with { type: "json" };
import type { PlannedCheck } from "./plan.ts";

export interface Cost {
  requests: number;
  created: number;
}

export interface Estimate extends Cost {
  operations: [operation: string, cost: Cost][];
  suites: [suite: string, cost: Cost][];
}

export interface SuiteCost extends Cost {
  alone: Cost;
}

const MEASURED_COSTS: Record<string, Record<string, SuiteCost>> = costs;
const UNKNOWN_COST: SuiteCost = { requests: 1, created: 0, alone: { requests: 1, created: 0 } };

/** Confirming took 29 requests on average. */
export const CONFIRMATION_REQUESTS = 30;

/** Returns about how many requests and resources a run costs, by operation and suite. */
export function estimate(
  planned: readonly PlannedCheck[],
  settings: { depth: string; readOnly?: boolean; maxRequests?: number; maxCreated?: number },
): Estimate {
  const operations = new Map<string, Cost>();
  const suites = new Map<string, Cost>();
  const total: Cost = { requests: 0, created: 0 };
  const tried = planned.filter(({ skip }) => skip === undefined);
  const missing = 1 - tried.length / Math.max(1, planned.length);
  const groups = new Map<string, { suite: string; operation: string; checks: number }>();
  for (const {
    check: { suite, operation },
  } of tried) {
    const key = `${suite} ${operation}`;
    groups.set(key, { suite, operation, checks: (groups.get(key)?.checks ?? 0) + 1 });
  }
  const first = beginningCost(settings.depth);
  if (tried.length > 0) total.requests += missing * first;
  for (const { suite, operation, checks } of groups.values()) {
    const { requests, created } = groupCost(costOf(suite, settings.depth), { checks, missing, first });
    const cost = { requests, created: settings.readOnly ? 0 : created };
    for (const [to, key] of [
      [operations, operation],
      [suites, suite],
    ] as const) {
      const known = to.get(key) ?? { requests: 0, created: 0 };
      to.set(key, { requests: known.requests + cost.requests, created: known.created + cost.created });
    }
    total.requests += cost.requests;
    total.created += cost.created;
  }
  return {
    requests: Math.min(
      Math.max(tried.length === 0 ? 0 : 1, Math.round(total.requests)),
      settings.maxRequests ?? Number.POSITIVE_INFINITY,
    ),
    created: Math.min(Math.round(total.created), settings.maxCreated ?? Number.POSITIVE_INFINITY),
    operations: roundedAndSorted(operations),
    suites: roundedAndSorted(suites),
  };
}

function groupCost(
  { requests, created, alone }: SuiteCost,
  { checks, missing, first }: { checks: number; missing: number; first: number },
): Cost {
  const inTotal = (shared: number, single: number) =>
    checks * shared + missing * Math.max(0, single - shared);
  return { requests: inTotal(requests, alone.requests - first), created: inTotal(created, alone.created) };
}

/** Returns the requests of the cheapest suite alone, with which every run begins. */
export function beginningCost(depth: string): number {
  return Math.min(...Object.values(MEASURED_COSTS[depth] ?? {}).map(({ alone }) => alone.requests));
}

/** Returns the measured cost of a suite at a depth. */
export function costOf(suite: string, depth: string): SuiteCost {
  return MEASURED_COSTS[depth]?.[suite] ?? UNKNOWN_COST;
}

function roundedAndSorted(costs: Map<string, Cost>): [string, Cost][] {
  return [...costs]
    .map(([key, { requests, created }]): [string, Cost] => [
      key,
      { requests: Math.round(requests), created: Math.round(created) },
    ])
    .sort(([, a], [, b]) => b.requests - a.requests || b.created - a.created);
}

/** Returns how many seconds the requests take. `latency` is in milliseconds, `rate` in requests a second. */
export function secondsFor(
  requests: number,
  limits: { latency: number; concurrency: number; rate?: number },
): number {
  const bound =
    limits.latency === 0 ? Number.POSITIVE_INFINITY : (limits.concurrency * 1000) / limits.latency;
  const perSecond = Math.min(limits.rate ?? Number.POSITIVE_INFINITY, bound);
  return requests / perSecond;
}
