import type { Check } from "../../client/check.ts";
import { type Entry, statusOf } from "../../history/entry.ts";
import type { Coverage, JudgedPlace, JudgedTraffic, Report } from "../../reports/report.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { groupedByEach } from "../../spec/grouped.ts";
import type { Trait } from "../../spec/model/result.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { SpecificationText } from "../../spec/specification-text.ts";
import { skippedResult } from "../judge.ts";
import { planChecks } from "../planning/plan.ts";
import { assembleReport } from "../reporting/assemble.ts";
import type { Waiver } from "../reporting/waivers.ts";
import { type Found, resultOf } from "./found.ts";

export class Tally {
  exchanges = 0;
  readonly #operations = new Map<string, { requests: number; statuses: Record<string, number> }>();

  add(entry: Entry): void {
    this.exchanges++;
    if (!entry.operation) return;
    const { key } = entry.operation;
    const counts = this.#operations.get(key) ?? { requests: 0, statuses: {} };
    this.#operations.set(key, counts);
    counts.requests++;
    const status = statusOf(entry);
    if (status !== undefined) counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
  }

  coverage(spec: Spec): Coverage {
    const operations = spec.operations.map(({ key }) => {
      const { requests = 0, statuses = {} } = this.#operations.get(key) ?? {};
      return [key, { requests, statuses, outcomes: {} }] as const;
    });
    return { operations: Object.fromEntries(operations), fields: {}, constraints: {} };
  }
}

export interface JudgedFacts {
  spec: Spec;
  settings: Settings;
  checks: readonly Check[];
  found: readonly Found[];
  tally: Tally;
  traffic: Pick<JudgedTraffic, "of" | "files" | "agreement">;
  traits?: Trait[];
  options: Record<string, unknown>;
  waivers: readonly Waiver[];
  notices: readonly string[];
  specification?: SpecificationText;
  startedAt: Date;
  durationMs: number;
}

/** Returns the report about recorded traffic. */
export function judgedReport(facts: JudgedFacts): Report {
  const { spec, settings, checks, found, tally, notices } = facts;
  // Judging sends nothing, so sampling would save nothing.
  const unsampled = checks.map((check): Check => ({ ...check, alwaysSampled: false }));
  const planned = planChecks(spec, settings, unsampled);
  const selected = new Set(planned.flatMap(({ check, skip }) => (skip ? [] : check.id)));
  const own = found.filter(({ check }) => selected.has(check.id));
  const left = planned.flatMap(({ check, skip }) =>
    skip ? [skippedResult(check, { spec }, skip.reason, skip.message)] : [],
  );
  const { specification, options, waivers, startedAt, durationMs } = facts;
  const report = assembleReport({
    spec,
    settings,
    planned,
    ...definedOnly({ specification }),
    execution: {
      results: [...own.map((each) => resultOf(each, spec)), ...left],
      summary: { requests: 0, observations: [], coverage: tally.coverage(spec), traits: facts.traits ?? [] },
      faults: [],
    },
    options,
    waivers,
    startedAt,
    durationMs,
    interrupted: false,
    judged: {
      ...facts.traffic,
      exchanges: tally.exchanges,
      checks: { judged: checks.length, total: checks.length },
      requirements: countRequirements(spec, own),
      places: placesOf(own, spec),
    },
  });
  const differ = facts.traffic.agreement?.differ ?? [];
  const all = [...(report.notices ?? []), ...notices, ...differ.slice(0, MOST_DIFFERENCES).map(inWords)];
  return all.length === 0 ? report : { ...report, notices: all };
}

const MOST_DIFFERENCES = 10;

function inWords({ check, run, judged }: { check: string; run: string; judged: string }): string {
  return `${check}: the run reported ${run}, and its history gives ${judged}`;
}

function countRequirements(spec: Spec, found: readonly Found[]): JudgedTraffic["requirements"] {
  const binding = [...spec.requirements.values()].filter(
    ({ level, untested }) => level !== "NOTE" && untested === undefined,
  );
  const ids = new Set(binding.map(({ id }) => id));
  const named = (some: readonly Found[]) =>
    new Set(some.flatMap(({ check }) => check.requirements).filter((id) => ids.has(id))).size;
  return {
    exercised: named(found.filter(({ held, violated }) => held + violated > 0)),
    violated: named(found.filter(({ violated }) => violated > 0)),
    total: ids.size,
  };
}

function placesOf(found: readonly Found[], spec: Spec): JudgedPlace[] {
  const places = groupedByEach(found, ({ check: { requirements, operation } }) =>
    requirements.map((requirement) => `${requirement}\n${operation}`),
  );
  return [...places].flatMap(([key, members]): JudgedPlace[] => {
    const [requirement = "", operation = ""] = key.split("\n");
    const { level = "NOTE" } = spec.requirements.get(requirement) ?? {};
    if (level === "NOTE") return [];
    const [held, violated] = [sum(members, "held"), sum(members, "violated")];
    const outcome = outcomeAt(members);
    const probes = [...new Set(members.flatMap(({ check }) => check.probes).map(({ id }) => id))];
    const more = outcome === "never" && probes.length > 0 ? { probes } : {};
    return [{ requirement, operation, outcome, held, violated, ...more }];
  });
}

function outcomeAt(found: readonly Found[]): JudgedPlace["outcome"] {
  if (sum(found, "violated") > 0) return "violated";
  if (found.some(({ suspicion }) => suspicion)) return "uncertain";
  return sum(found, "held") > 0 ? "held" : "never";
}

function sum(found: readonly Found[], count: "held" | "violated"): number {
  return found.reduce((total, each) => total + each[count], 0);
}
