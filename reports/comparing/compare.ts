import { isFault, isStrict } from "../outcome.ts";
import type { Exchange, Outcome, Report, SkipReason, Verdict } from "../report.ts";
import {
  type ComparedItem,
  type ComparedPair,
  isUntested,
  leftOutBySeed,
  pairsOf,
  untestedRequirements,
} from "./compared-items.ts";
import { doubtsOf, type Lost } from "./doubts.ts";
import { type Decision, type ObservationChange, observationChanges } from "./observation-changes.ts";

export interface Comparison {
  schemaVersion: 1;
  old: ComparedRun;
  new: ComparedRun;
  conditions: Condition[];
  regressions: Change[];
  fixes: Change[];
  newlyTested: Change[];
  noLongerTested: Change[];
  otherChanges: Change[];
  /** Checks that only one run has, because the depths differ. New failures always count. */
  notCompared: { old: number; new: number };
  observations: ObservationChange[];
  decisions: Decision[];
  doubts: string[];
}

interface ComparedRun {
  baseUrl: string;
  startedAt: string;
  verdict: Verdict;
  partial: boolean;
  labels: Record<string, string>;
}

interface Condition {
  kind: "target" | "specification" | "suite" | "setting" | "seed" | "partial";
  name: string;
  old: string;
  new: string;
}

export interface Change {
  kind: "requirement" | "check";
  id: string;
  title: string;
  requirements: string[];
  operation?: string;
  old: Outcome | null;
  new: Outcome | null;
  failing: boolean;
  /** A waiver of the new run covers the violation. */
  waived?: true;
  reason?: SkipReason;
  message?: string;
  exchange?: Exchange;
  command?: string;
}

type KindOfChange = "regressions" | "fixes" | "newlyTested" | "noLongerTested" | "otherChanges";

/**
 * Returns what changed between two reports. Both reports are judged as strictly as the new run (`--strict`).
 */
export function compareReports(
  oldReport: Report,
  newReport: Report,
  { failOnChanges = [] }: { failOnChanges?: readonly string[] } = {},
): Comparison {
  const strict = isStrict(newReport);
  const changes: Record<KindOfChange, Change[]> = {
    regressions: [],
    fixes: [],
    newlyTested: [],
    noLongerTested: [],
    otherChanges: [],
  };
  const notCompared = { old: 0, new: 0 };
  const isOtherDepth = (oldReport.depth ?? "quick") !== (newReport.depth ?? "quick");
  const leftOut = leftOutBySeed(oldReport.checks, newReport.checks);
  const requirementsLeftOut = new Set(
    [oldReport, newReport].flatMap((report) => untestedRequirements(report, leftOut)),
  );
  for (const pair of pairsOf(oldReport, newReport, leftOut)) {
    const { item, before, after } = pair;
    if (!after || !isFault(after, strict)) {
      if (item.kind === "requirement" && requirementsLeftOut.has(item.id)) continue;
      if (item.kind === "check" && isOtherDepth && !(before && after)) {
        notCompared[after ? "new" : "old"]++;
        continue;
      }
    }
    const kind = kindOfChange(pair, strict);
    if (kind !== undefined) changes[kind].push(changeIn(pair, strict));
  }
  return {
    schemaVersion: 1,
    old: comparedRun(oldReport),
    new: comparedRun(newReport),
    conditions: differingConditions(oldReport, newReport),
    ...changes,
    notCompared,
    ...observationChanges(oldReport.observations, newReport.observations, {
      failOnChanges,
      binding: bindingIn(newReport),
    }),
    doubts: doubtsOf(oldReport, newReport, lostOf(oldReport, newReport, changes.noLongerTested)),
  };
}

function bindingIn({ requirements }: Report): ReadonlySet<string> {
  return new Set(requirements.filter(({ level }) => level !== "NOTE").map(({ id }) => id));
}

/**
 * Counts the tests of the old run that the new one lacks. Requirements that an edition removed do not count, nor
 * checks that another version of the suite removed.
 */
function lostOf(old: Report, now: Report, noLongerTested: readonly Change[]): Lost {
  const sameSpec = old.spec.sha256 === now.spec.sha256;
  const sameChecks = sameSpec && old.suite.version === now.suite.version;
  const lost = (kind: Change["kind"], same: boolean) =>
    noLongerTested.filter((each) => each.kind === kind && (same || each.new !== null)).length;
  const requirements = lost("requirement", sameSpec);
  return {
    requirements,
    checks: lost("check", sameChecks),
    removed: lost("requirement", true) - requirements,
  };
}

/** Returns how the outcome changed from one run to the other, or `undefined` if it did not. */
function kindOfChange({ before, after }: ComparedPair, strict: boolean): KindOfChange | undefined {
  // A note that only one run made is no change.
  if (!isTested(before)) return isTested(after) && after.outcome !== "note" ? "newlyTested" : undefined;
  if (!isTested(after)) return before.outcome === "note" ? undefined : "noLongerTested";
  const [was, is] = [isFault(before, strict), isFault(after, strict)];
  if (!was && is && !after.waived) return "regressions";
  if (was && !is) return "fixes";
  return before.outcome === after.outcome && before.waived === after.waived ? undefined : "otherChanges";
}

function isTested(item: ComparedItem | undefined): item is ComparedItem {
  return item !== undefined && !isUntested(item);
}

/** Returns the change as comparisons show it. */
function changeIn({ item, before, after }: ComparedPair, strict: boolean): Change {
  const { kind, id, title, requirements, operation } = item;
  const failing = after !== undefined && isFault(after, strict) && !after.waived;
  return {
    kind,
    id,
    title,
    requirements,
    ...(operation === undefined ? {} : { operation }),
    old: before?.outcome ?? null,
    new: after?.outcome ?? null,
    failing,
    ...(after?.waived && isFault(after, true) ? { waived: true } : {}),
    ...(after?.reason === undefined ? {} : { reason: after.reason }),
    ...(after?.message === undefined ? {} : { message: after.message }),
    ...(failing && after.exchange !== undefined ? { exchange: after.exchange } : {}),
    ...(failing && after.command !== undefined ? { command: after.command } : {}),
  };
}

function comparedRun({ target, run, verdict, labels = {} }: Report): ComparedRun {
  return { baseUrl: target.baseUrl, startedAt: run.startedAt, verdict, partial: run.partial, labels };
}

/** Returns what differs between the runs themselves, such as settings and versions. */
function differingConditions(a: Report, b: Report): Condition[] {
  const found: Condition[] = [];
  const add = (kind: Condition["kind"], name: string, before: unknown, after: unknown) => {
    const [from, to] = [valueInWords(before), valueInWords(after)];
    if (from !== to) found.push({ kind, name, old: from, new: to });
  };
  // The embedded service has a random port.
  const embedded = a.target.embedded && b.target.embedded;
  if (!embedded) add("target", "base URL", a.target.baseUrl, b.target.baseUrl);
  add("specification", "specification", a.spec.sha256, b.spec.sha256);
  add("setting", "profile content", a.profile?.sha256, b.profile?.sha256);
  add("suite", "suite version", `${a.suite.name} ${a.suite.version}`, `${b.suite.name} ${b.suite.version}`);
  add("partial", "partial run", a.run.partial, b.run.partial);
  add("seed", "seed", a.run.seed, b.run.seed);
  add("setting", "paths", a.target.paths, b.target.paths);
  const listedBefore = new Set(["seed", "paths", "baseUrl", "labels", ...(embedded ? CALLBACK : [])]);
  for (const name of new Set([...Object.keys(a.run.options), ...Object.keys(b.run.options)])) {
    if (!listedBefore.has(name)) add("setting", name, a.run.options[name], b.run.options[name]);
  }
  return found;
}

const CALLBACK = ["callbackUrl", "callbackPort"];

function valueInWords(value: unknown): string {
  if (value === undefined) return "not set";
  return typeof value === "string" ? value : JSON.stringify(value);
}
