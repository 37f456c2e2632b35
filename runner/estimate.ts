/** What a run would send, before anything is sent: by what the checks of each suite cost on the reference service. */

import costs from "./costs.json" with { type: "json" };
import type { PlannedCheck } from "./plan.ts";

/** Requests sent and resources created. */
export interface Cost {
  requests: number;
  created: number;
}

export interface Estimate extends Cost {
  /** By `METHOD path` of the checks, dearest first. */
  operations: [operation: string, cost: Cost][];
  /** By suite, dearest first. */
  suites: [suite: string, cost: Cost][];
}

/** By depth and suite: what one check costs on average. Measured by `npm run costs`, since checks share what they ask. */
const TABLE: Record<string, Record<string, Cost>> = costs;
/** What is known of no suite yet. */
const UNKNOWN: Cost = { requests: 1, created: 0 };

/** About what the planned checks send and create; bounds of the settings are kept. */
export function estimate(
  planned: readonly PlannedCheck[],
  settings: { depth: string; maxRequests?: number; maxCreated?: number },
): Estimate {
  const table = TABLE[settings.depth] ?? {};
  const operations = new Map<string, Cost>();
  const suites = new Map<string, Cost>();
  const total: Cost = { requests: 0, created: 0 };
  const add = (to: Map<string, Cost>, key: string, cost: Cost) => {
    const known = to.get(key) ?? { requests: 0, created: 0 };
    to.set(key, { requests: known.requests + cost.requests, created: known.created + cost.created });
  };
  for (const { check, skip } of planned) {
    if (skip) continue;
    const cost = table[check.suite] ?? UNKNOWN;
    add(operations, check.operation, cost);
    add(suites, check.suite, cost);
    total.requests += cost.requests;
    total.created += cost.created;
  }
  return {
    requests: Math.min(Math.round(total.requests), settings.maxRequests ?? Number.POSITIVE_INFINITY),
    created: Math.min(Math.round(total.created), settings.maxCreated ?? Number.POSITIVE_INFINITY),
    operations: rounded(operations),
    suites: rounded(suites),
  };
}

function rounded(costs: Map<string, Cost>): [string, Cost][] {
  return [...costs]
    .map(([key, { requests, created }]): [string, Cost] => [
      key,
      { requests: Math.round(requests), created: Math.round(created) },
    ])
    .sort(([, a], [, b]) => b.requests - a.requests || b.created - a.created);
}

/** Seconds that so many requests take: bound by the rate, or by the latency of as many as are in flight. */
export function secondsFor(
  requests: number,
  limits: { latency: number; concurrency: number; rate?: number },
): number {
  const bound =
    limits.latency === 0 ? Number.POSITIVE_INFINITY : (limits.concurrency * 1000) / limits.latency;
  const perSecond = Math.min(limits.rate ?? Number.POSITIVE_INFINITY, bound);
  return requests / perSecond;
}
