/** `npm run costs`: measures what one check of each suite sends and creates, and writes it where the plan reads it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startReference } from "../reference/index.ts";
import type { Cost } from "../runner/estimate.ts";
import { runLoop } from "../runner/loop.ts";
import { packageRoot } from "../runner/package-root.ts";
import { planChecks } from "../runner/plan.ts";
import { Session } from "../runner/session.ts";
import { ownSpec, settingsFor } from "../test/prove/run.ts";

const table: Record<string, Record<string, Cost>> = {};
for (const depth of ["quick", "full"] as const) table[depth] = await measured(depth);
writeFileSync(join(packageRoot(), "runner/costs.json"), `${JSON.stringify(table, null, 2)}\n`);

/** By suite: requests and creations of a whole run at a depth, divided by the suite's checks. */
async function measured(depth: "quick" | "full"): Promise<Record<string, Cost>> {
  const service = await startReference();
  const spec = ownSpec();
  const settings = settingsFor(service, 1, { depth });
  const planned = planChecks(spec, settings);
  const session = new Session(spec, settings);
  await runLoop(session, planned);
  await service.close();
  const suites = new Map<string, Cost & { checks: number }>();
  for (const { check } of planned) {
    const sum = suites.get(check.suite) ?? { requests: 0, created: 0, checks: 0 };
    const cost = session.costs.get(check.id) ?? { requests: 0, created: 0 };
    sum.requests += cost.requests;
    sum.created += cost.created;
    sum.checks++;
    suites.set(check.suite, sum);
  }
  const perCheck = (sum: number, checks: number) => Math.round((sum / checks) * 1000) / 1000;
  return Object.fromEntries(
    [...suites].map(([suite, { requests, created, checks }]) => [
      suite,
      { requests: perCheck(requests, checks), created: perCheck(created, checks) },
    ]),
  );
}
