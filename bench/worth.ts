import { startReference } from "../reference/index.ts";
import { runLoop } from "../runner/loop.ts";
import { planChecks } from "../runner/planning/plan.ts";
import { Session } from "../runner/session.ts";
import type { Proof } from "../test/prove/prove.ts";
import { levels, ownSpec, settingsFor } from "../test/prove/run.ts";
import type { Table } from "./tables.ts";

const SHOWN = 20;

/** A shared request counts for the rule that sends it first. */
export async function worth({ defects }: Pick<Proof, "defects">): Promise<Table> {
  const cost = await requestsByRule();
  const found = new Map<string, number>();
  const alone = new Map<string, number>();
  for (const { checks } of defects) {
    const rules = new Set(checks.map(ruleOf));
    for (const rule of rules) found.set(rule, (found.get(rule) ?? 0) + 1);
    const [only] = rules;
    if (only !== undefined && rules.size === 1) alone.set(only, (alone.get(only) ?? 0) + 1);
  }
  const price = (rule: string) => (cost.get(rule) ?? 0) / Math.max(alone.get(rule) ?? 0, 0.5);
  const judging = [...cost.keys()].filter((rule) => levels().get(rule.split("/")[1] ?? "") !== "NOTE");
  const dearest = judging.sort((a, b) => price(b) - price(a)).slice(0, SHOWN);
  return [
    ["Rule", "Requests", "Defects found", "By it alone"],
    ...dearest.map((rule) => [
      `\`${rule}\``,
      String(cost.get(rule) ?? 0),
      String(found.get(rule) ?? 0),
      String(alone.get(rule) ?? 0),
    ]),
  ];
}

function ruleOf(checkId: string): string {
  return checkId.split(" ")[0] ?? checkId;
}

async function requestsByRule(): Promise<Map<string, number>> {
  const service = await startReference();
  const settings = settingsFor(service, 1, {});
  const planned = planChecks(ownSpec(), settings);
  const session = new Session(ownSpec(), settings);
  await runLoop(session, planned);
  await service.close();
  const cost = new Map<string, number>();
  for (const { check } of planned) {
    const rule = ruleOf(check.id);
    cost.set(rule, (cost.get(rule) ?? 0) + (session.costs.get(check.id)?.requests ?? 0));
  }
  return cost;
}
