/** `npm run costs` measures what each suite's checks cost. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../client/check.ts";
import { startReference } from "../reference/index.ts";
import { runLoop } from "../runner/loop.ts";
import { packageRoot } from "../runner/package-root.ts";
import type { Cost, SuiteCost } from "../runner/planning/estimate.ts";
import { planChecks } from "../runner/planning/plan.ts";
import { Session } from "../runner/session.ts";
import { ownChecks, ownSpec, settingsFor } from "../test/prove/run.ts";

const NOTHING: Cost = { requests: 0, created: 0 };

const ALONE = 8;

const table: Record<string, Record<string, SuiteCost>> = {};
for (const depth of ["quick", "full"] as const) table[depth] = await measured(depth);
writeFileSync(join(packageRoot(), "runner/planning/costs.json"), `${JSON.stringify(table, null, 2)}\n`);

async function measured(depth: "quick" | "full"): Promise<Record<string, SuiteCost>> {
  const spec = ownSpec();
  const planned = planChecks(spec, settingsFor(await nowhere(), 1, { depth }), ownChecks());
  const checks = planned.map(({ check }) => check);
  const costs = await costsOf(checks, depth);
  const suites: Record<string, SuiteCost> = {};
  for (const suite of new Set(checks.map((check) => check.suite))) {
    const own = checks.filter((check) => check.suite === suite);
    const inWhole = average(own.map(({ id }) => costs.get(id) ?? NOTHING));
    const step = Math.max(1, Math.floor(own.length / ALONE));
    const alone: Cost[] = [];
    for (const check of own.filter((_, index) => index % step === 0).slice(0, ALONE))
      alone.push(sum([...(await costsOf([check], depth)).values()]));
    suites[suite] = { ...inWhole, alone: average(alone) };
  }
  return suites;
}

async function costsOf(checks: readonly Check[], depth: "quick" | "full"): Promise<Map<string, Cost>> {
  const service = await startReference();
  const session = new Session(ownSpec(), settingsFor(service, 1, { depth }));
  await runLoop(
    session,
    checks.map((check) => ({ check })),
  );
  await service.close();
  const users = new Map<string, string[]>();
  for (const { id, probes = [] } of checks)
    for (const probe of new Set(probes.map((each) => each.id)))
      users.set(probe, [...(users.get(probe) ?? []), id]);
  const costs = new Map<string, Cost>();
  for (const [sender, { requests, created }] of session.costs) {
    const ids = users.get(sender) ?? [sender];
    const share = { requests: requests / ids.length, created: created / ids.length };
    for (const id of ids) costs.set(id, sum([costs.get(id) ?? NOTHING, share]));
  }
  return costs;
}

async function nowhere() {
  const service = await startReference();
  await service.close();
  return service;
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, { requests, created }) => ({
      requests: total.requests + requests,
      created: total.created + created,
    }),
    NOTHING,
  );
}

function average(costs: readonly Cost[]): Cost {
  const { requests, created } = sum(costs);
  const each = (total: number) => Math.round((total / Math.max(1, costs.length)) * 1000) / 1000;
  return { requests: each(requests), created: each(created) };
}
