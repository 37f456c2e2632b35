import { createHash } from "node:crypto";
import type { Check } from "../client/check.ts";
import { sampleNumber } from "../client/version-choice.ts";
import { isPromised } from "../profiles/sources.ts";
import type { SkipReason } from "../reports/report.ts";
import { globMatcher } from "../spec/glob.ts";
import { groupedBy } from "../spec/grouped.ts";
import type { CheckFacts } from "../spec/model/check.ts";
import { idsOf } from "../spec/model/check.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { OFFERS_ABSENT } from "../spec/offers.ts";
import { allChecks } from "../suites/index.ts";

export interface PlannedCheck {
  check: Check;
  skip?: { reason: SkipReason; message: string };
}

export function planChecks(
  spec: Spec,
  settings: Settings,
  all: readonly Check[] = allChecks(spec, settings.profile),
): PlannedCheck[] {
  const only = settings.only.length > 0 ? globMatcher(settings.only) : undefined;
  const skip = settings.skip.length > 0 ? globMatcher(settings.skip) : undefined;
  return atDepth(all, settings).map((check) => {
    const left = leftOut(check, settings, only, skip);
    return left ? { check, skip: left } : { check };
  });
}

/** Depth quick runs one check of each sampled group. */
export function atDepth(checks: readonly Check[], settings: Settings): Check[] {
  const groups = new Map<string, Check[]>();
  for (const check of checks) {
    if (!isSampled(check, settings)) continue;
    const group = groups.get(check.sampledGroup);
    if (group) group.push(check);
    else groups.set(check.sampledGroup, [check]);
  }
  const numbers = numbersOfGroups(groups);
  const named = new Set(settings.only);
  const kept = new Map<Check, Check>();
  for (const [sampledGroup, group] of groups) {
    const wanted = group.filter(({ id }) => id !== sampledGroup && named.has(id));
    for (const check of wanted) kept.set(check, check);
    const [first] = group;
    if (wanted.length > 0 || !first) continue;
    const number = sampleNumber(settings.seed, placeOf(first)) + (numbers.get(sampledGroup) ?? 0);
    const [picked = first, ...others] = candidatesIn(group, settings).map(
      (candidates) => candidates[number % candidates.length] ?? first,
    );
    kept.set(picked, { ...picked, id: sampledGroup, ownId: picked.id });
    for (const other of others) kept.set(other, other);
  }
  return checks.flatMap((check) => (isSampled(check, settings) ? (kept.get(check) ?? []) : [check]));
}

/** One check of each returned list must run, so that every promise of a profile is tested. */
function candidatesIn(group: readonly Check[], { profile }: Settings): (readonly Check[])[] {
  const promised = profile ? group.filter((check) => isPromised(check, profile)) : [];
  if (promised.length === 0) return [group];
  return [...groupedBy(promised, ({ notes, cause }) => notes ?? cause).values()];
}

export function untriedOf(all: readonly Check[], planned: readonly PlannedCheck[]): Check[] {
  const tried = new Set(planned.map(({ check }) => check.ownId ?? check.id));
  return all.filter(({ id }) => !tried.has(id));
}

export function checkFinder(all: readonly Check[], settings: Settings): (facts: CheckFacts) => Check {
  const known = new Map([...all, ...atDepth(all, settings)].map((each) => [each.id, each]));
  return ({ id, sampledGroup, notes, cause }) => {
    const sampled = sampledGroup === undefined ? undefined : known.get(sampledGroup);
    const check = sampled && sampled.notes === notes && sampled.cause === cause ? sampled : known.get(id);
    if (!check) throw new Error(`there is no check ${id}`);
    return check;
  };
}

function placeOf({ requirements, operation }: Check): string {
  return `${requirements.join()} ${operation}`;
}

/** Counts the groups with the same requirements and operation from 0, so that their samples differ. */
function numbersOfGroups(groups: ReadonlyMap<string, readonly Check[]>): Map<string, number> {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const [sampledGroup, [first]] of groups) {
    if (!first) continue;
    const place = placeOf(first);
    const number = counts.get(place) ?? 0;
    numbers.set(sampledGroup, number);
    counts.set(place, number + 1);
  }
  return numbers;
}

function isSampled(
  check: Check,
  { depth, suggestProfile = false }: Settings,
): check is Check & { sampledGroup: string } {
  return (
    check.sampledGroup !== undefined && !suggestProfile && (depth === "quick" || check.alwaysSampled === true)
  );
}

function leftOut(
  check: Check,
  settings: Settings,
  only: ((text: string) => boolean) | undefined,
  skip: ((text: string) => boolean) | undefined,
): PlannedCheck["skip"] {
  if (only && !namesOf(check).some(only)) return { reason: "not-selected", message: "left out by --only" };
  const forbids = forbiddenBy(check, settings, skip);
  if (forbids) return forbids;
  if (settings.shard && shardOf(check.id, settings.shard.total) !== settings.shard.index) {
    return { reason: "shard", message: `belongs to another of the ${settings.shard.total} shards` };
  }
  return undefined;
}

/** Returns why a check must not run even if another check needs its observations. */
export function whyForbidden(check: Check, settings: Settings): PlannedCheck["skip"] {
  return forbiddenBy(check, settings, settings.skip.length > 0 ? globMatcher(settings.skip) : undefined);
}

function forbiddenBy(
  check: Check,
  settings: Settings,
  skip: ((text: string) => boolean) | undefined,
): PlannedCheck["skip"] {
  if (skip && namesOf(check).some(skip)) return { reason: "not-selected", message: "left out by --skip" };
  if (settings.notOffered?.includes(check.operation) && !check.requirements.includes(OFFERS_ABSENT))
    return { reason: "not-offered", message: "the service is declared not to offer the operation" };
  if (settings.readOnly && check.writes)
    return { reason: "read-only", message: "it would write, and the run is read-only" };
  return undefined;
}

export function namesOf(check: CheckFacts): string[] {
  const ids = idsOf(check);
  const suites = ids.map((id) => id.slice(0, id.indexOf("/")));
  return [...new Set([...ids, ...suites, check.operation, ...check.requirements])];
}

/** The shard depends on the id alone, so that all machines divide the checks in the same way. */
function shardOf(checkId: string, total: number): number {
  return (createHash("sha256").update(checkId).digest().readUInt32BE(0) % total) + 1;
}
