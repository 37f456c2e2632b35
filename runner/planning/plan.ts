import { createHash } from "node:crypto";
import type { Check } from "../../client/check.ts";
import type { Probe } from "../../client/target.ts";
import { sampleNumber } from "../../client/version-choice.ts";
import { isPromised } from "../../profiles/sources.ts";
import type { SkipReason } from "../../reports/report.ts";
import { globMatcher } from "../../spec/glob.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { memoized } from "../../spec/memoized.ts";
import { type CheckFacts, idsOf } from "../../spec/model/check.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { OFFERS_ABSENT } from "../../spec/offers.ts";
import { allChecks } from "../../suites/index.ts";

export interface PlannedCheck {
  check: Check;
  skip?: { reason: SkipReason; message: string };
}

/** Returns the checks of a run, with the reason for each that is skipped. */
export function planChecks(
  spec: Spec,
  settings: Settings,
  all: readonly Check[] = allChecks(spec, settings.profile),
): PlannedCheck[] {
  return checksAtDepth(all, settings).map((check) => {
    const left = leftOut(check, settings);
    return left ? { check, skip: left } : { check: withEarlyProbes(check, settings) };
  });
}

/**
 * Returns the check with some of its probes moved to the stage before. The seed picks half of the rejected
 * creates, so that some of the first accepted ones directly follow them.
 */
function withEarlyProbes(check: Check, { seed }: Settings): Check {
  const isEarly = ({ id, sendsRejectedCreates }: Probe) =>
    sendsRejectedCreates === true && sampleNumber(seed, id) % 2 === 0;
  return {
    ...check,
    probes: check.probes.map((probe) => (isEarly(probe) ? { ...probe, stage: "prepare" } : probe)),
  };
}

/** Returns the checks of this depth. A sampled group runs its named checks, or the one that the seed picks. */
export function checksAtDepth(checks: readonly Check[], settings: Settings): Check[] {
  const chosen = new Map<string, Check>();
  for (const group of sampledGroups(checks, settings))
    for (const check of chosenIn(group, settings)) chosen.set(check.ownId ?? check.id, check);
  return checks
    .map((check) => (isSampled(check, settings) ? chosen.get(check.id) : check))
    .filter((check) => check !== undefined);
}

interface SampledGroup {
  id: string;
  checks: readonly Check[];
  /** The number by which the seed picks a check. Similar groups have different numbers. */
  sample: number;
}

/** Returns the groups of checks of which a quick run asks one, with the number that chooses it. */
function sampledGroups(checks: readonly Check[], settings: Settings): SampledGroup[] {
  const sampled = checks.filter((check) => isSampled(check, settings));
  const counts = new Map<string, number>();
  return [...groupedBy(sampled, ({ sampledGroup }) => sampledGroup)].map(([id, members]) => {
    const [place = ""] = members.map(requirementsAndOperation);
    const count = counts.get(place) ?? 0;
    counts.set(place, count + 1);
    return { id, checks: members, sample: sampleNumber(settings.seed, place) + count };
  });
}

function chosenIn({ id, checks, sample }: SampledGroup, settings: Settings): Check[] {
  const named = checks.filter((check) => check.id !== id && settings.only.includes(check.id));
  if (named.length > 0) return named;
  const picked = alternativesIn(checks, settings)
    .map((alternatives) => alternatives[sample % alternatives.length])
    .filter((check) => check !== undefined);
  return picked.map((check, index) => (index === 0 ? { ...check, id, ownId: check.id } : check));
}

/** Returns lists of checks of which one each runs, so that every promise of a profile is tested. */
function alternativesIn(checks: readonly Check[], { profile }: Settings): (readonly Check[])[] {
  const promised = profile ? checks.filter((check) => isPromised(check, profile)) : [];
  if (promised.length === 0) return [checks];
  return [...groupedBy(promised, ({ notes, cause }) => notes ?? cause).values()];
}

/** Returns the checks that a sampled run leaves out. */
export function untriedOf(all: readonly Check[], planned: readonly PlannedCheck[]): Check[] {
  const tried = new Set(planned.map(({ check }) => check.ownId ?? check.id));
  return all.filter(({ id }) => !tried.has(id));
}

export function requirementsAndOperation({ requirements, operation }: Check): string {
  return `${requirements.join()} ${operation}`;
}

function isSampled(
  check: Check,
  { depth, suggestProfile = false }: Settings,
): check is Check & { sampledGroup: string } {
  return (
    check.sampledGroup !== undefined && !suggestProfile && (depth === "quick" || check.alwaysSampled === true)
  );
}

const matcherOf = memoized((patterns: string[]) => globMatcher(patterns));

function leftOut(check: Check, settings: Settings): PlannedCheck["skip"] {
  const { only, shard } = settings;
  if (only.length > 0 && !namesOf(check).some(matcherOf(only)))
    return { reason: "not-selected", message: "left out by --only" };
  const forbids = whyForbidden(check, settings);
  if (forbids) return forbids;
  if (shard && shardOf(check.id, shard.total) !== shard.index)
    return { reason: "shard", message: `belongs to another of the ${shard.total} shards` };
  return undefined;
}

/** Returns why the run may not send the requests of the check, even for another check, or `undefined`. */
export function whyForbidden(check: Check, settings: Settings): PlannedCheck["skip"] {
  const { skip, notOffered, readOnly } = settings;
  if (namesOf(check).some(matcherOf(skip))) return { reason: "not-selected", message: "left out by --skip" };
  if (notOffered?.includes(check.operation) && !check.requirements.includes(OFFERS_ABSENT))
    return { reason: "not-offered", message: "the service is declared not to offer the operation" };
  if (readOnly && check.writes)
    return { reason: "read-only", message: "it would write, and the run is read-only" };
  return undefined;
}

/** Returns all texts that `--only` and `--skip` can name. */
export function namesOf(check: CheckFacts): string[] {
  const ids = idsOf(check);
  const suites = ids.map((id) => id.slice(0, id.indexOf("/")));
  return [...new Set([...ids, ...suites, check.operation, ...check.requirements])];
}

/** Returns the number of the check's shard, from 1, by the id alone: all machines divide the checks alike. */
function shardOf(checkId: string, total: number): number {
  return (createHash("sha256").update(checkId).digest().readUInt32BE(0) % total) + 1;
}

export class ChecksById {
  readonly tried = new Map<string, Check>();
  readonly probes = new Map<string, Probe>();
  #byId: ReadonlyMap<string, Check> | undefined;

  constructor(
    private readonly spec: Spec,
    private readonly settings: Settings,
  ) {}

  checkThatSends(id: string): string | undefined {
    if (this.tried.has(id)) return id;
    const all = [...this.tried.values()];
    return all.find(({ probes }) => probes.some((probe) => probe.id === id))?.id;
  }

  unproven(reasons: Readonly<Record<string, string>>): Record<string, string> {
    const expecting = [...this.tried.values()].filter(({ cause }) => cause !== undefined);
    const shared = expecting.flatMap(({ id, probes }) =>
      probes.flatMap((probe) => (reasons[probe.id] === undefined ? [] : [[id, reasons[probe.id] ?? ""]])),
    );
    return { ...(Object.fromEntries(shared) as Record<string, string>), ...reasons };
  }

  /**
   * Returns the check with these facts. A sampled one has the id of its group.
   * @throws Error if there is none
   */
  of({ id, sampledGroup, notes, cause }: CheckFacts): Check {
    this.#byId ??= this.#allById();
    const sampled = sampledGroup === undefined ? undefined : this.#byId.get(sampledGroup);
    const isMeant = sampled !== undefined && sampled.notes === notes && sampled.cause === cause;
    const check = isMeant ? sampled : this.#byId.get(id);
    if (!check) throw new Error(`there is no check ${id}`);
    return check;
  }

  #allById(): ReadonlyMap<string, Check> {
    const all = allChecks(this.spec, this.settings.profile);
    return new Map([...all, ...checksAtDepth(all, this.settings)].map((each) => [each.id, each]));
  }
}
