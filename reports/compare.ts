import { doubtsOf } from "./doubts.ts";
import { decisive } from "./exchange.ts";
import { type Decision, type ObservationChange, observationChanges } from "./observation-changes.ts";
import { isStrict, worstOutcome } from "./outcome.ts";
import type {
  CheckResult,
  Exchange,
  Outcome,
  Report,
  RequirementResult,
  SkipReason,
  Verdict,
} from "./report.ts";

export interface Comparison {
  schemaVersion: 1;
  old: ComparedRun;
  new: ComparedRun;
  conditions: Condition[];
  regressions: Change[];
  fixes: Change[];
  newlyTested: Change[];
  noLongerTested: Change[];
  /** Changes that are neither regressions nor fixes (from pass to warn). */
  otherChanges: Change[];
  /** Checks that only one depth has, unless they fail. */
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
  reason?: SkipReason;
  message?: string;
  exchange?: Exchange;
  command?: string;
}

/** The new report decides how strictly both are judged. */
export function compareReports(
  oldReport: Report,
  newReport: Report,
  { failOnChanges = [] }: { failOnChanges?: readonly string[] } = {},
): Comparison {
  const strict = isStrict(newReport);
  const sorted: Pick<
    Comparison,
    "regressions" | "fixes" | "newlyTested" | "noLongerTested" | "otherChanges"
  > = { regressions: [], fixes: [], newlyTested: [], noLongerTested: [], otherChanges: [] };
  const left = leftToOtherSeeds(oldReport.checks, newReport.checks);
  const [oldChecks, newChecks] = sameIds(oldReport.checks, newReport.checks, left);
  const items = [
    ...pairs(oldReport.requirements.map(ofRequirement), newReport.requirements.map(ofRequirement)),
    ...pairs(oldChecks.map(ofCheck), newChecks.map(ofCheck)),
  ];
  const otherDepth = (oldReport.depth ?? "quick") !== (newReport.depth ?? "quick");
  const notCompared = { old: 0, new: 0 };
  const notSampled = new Set([oldReport, newReport].flatMap((report) => requirementsIn(report, left)));
  for (const [before, after] of items) {
    const { kind, id } = after ?? before ?? {};
    if (kind === "requirement" && notSampled.has(id ?? "") && !(after && isFault(after, strict))) continue;
    if (otherDepth && isPlannedByOne(before, after) && !(after && isFault(after, strict))) {
      notCompared[after === undefined ? "old" : "new"]++;
      continue;
    }
    const place = classify(before, after, strict);
    if (place !== undefined) sorted[place].push(change(before, after, strict));
  }
  return {
    schemaVersion: 1,
    old: comparedRun(oldReport),
    new: comparedRun(newReport),
    conditions: conditions(oldReport, newReport),
    ...sorted,
    notCompared,
    ...observationChanges(oldReport.observations, newReport.observations, failOnChanges),
    doubts: doubtsOf(oldReport, newReport, lostRequirements(oldReport, newReport, sorted.noLongerTested)),
  };
}

/** If a seed left a check out, its changed outcome says nothing about the service. */
function leftToOtherSeeds(old: readonly CheckResult[], now: readonly CheckResult[]): Set<string> {
  const before = new Map(old.map((check) => [check.id, check]));
  const atOther = now.filter((check) => {
    const other = before.get(check.id);
    const isAtOther = other !== undefined && other.operation !== check.operation;
    return isAtOther && !isFault(check, true) && [other, check].some(isUntested);
  });
  const leftOut = [...old, ...now].filter(({ reason }) => reason === "not-sampled");
  return new Set([...atOther, ...leftOut].map(({ id }) => id));
}

function requirementsIn({ requirements, checks }: Report, left: ReadonlySet<string>): string[] {
  const untested = new Set(
    checks.flatMap((check) => (left.has(check.id) && isUntested(check) ? check.requirements : [])),
  );
  return requirements.flatMap(({ id, outcome }) => (outcome === "skip" && untested.has(id) ? [id] : []));
}

/** In another edition, removed requirements do not count as lost. */
function lostRequirements(old: Report, now: Report, noLongerTested: readonly Change[]): number {
  const sameSpec = old.spec.sha256 === now.spec.sha256;
  return noLongerTested.filter((each) => each.kind === "requirement" && (sameSpec || each.new !== null))
    .length;
}

const OF_VERSION = / @\S+$/;

/** At depth full a check has an id for each version. These count as one check, with the worst outcome. */
function sameIds(
  old: CheckResult[],
  now: CheckResult[],
  left: ReadonlySet<string>,
): [CheckResult[], CheckResult[]] {
  const sampled = (checks: CheckResult[]) => checks.filter(({ id }) => !left.has(id));
  const [olds, news] = [sampled(old), sampled(now)];
  const ids = (checks: CheckResult[]) => new Set(checks.map(({ id }) => id));
  return [foldVersions(olds, ids(news)), foldVersions(news, ids(olds))];
}

function foldVersions(checks: CheckResult[], others: ReadonlySet<string>): CheckResult[] {
  const folded = new Map<string, CheckResult>();
  for (const check of checks) {
    const bare = check.id.replace(OF_VERSION, "");
    const id = !others.has(check.id) && others.has(bare) ? bare : check.id;
    const known = folded.get(id);
    if (known === undefined || worstOutcome([known.outcome, check.outcome]) !== known.outcome)
      folded.set(id, id === check.id ? check : { ...check, id });
  }
  return [...folded.values()];
}

interface Item {
  kind: Change["kind"];
  id: string;
  title: string;
  requirements: string[];
  operation?: string;
  outcome: Outcome;
  waived: boolean;
  reason?: SkipReason;
  message?: string;
  exchange?: Exchange;
  command?: string;
}

function ofRequirement(requirement: RequirementResult): Item {
  const { id, statement, outcome, waived } = requirement;
  return { kind: "requirement", id, title: statement, requirements: [id], outcome, waived: waived === true };
}

function ofCheck(check: CheckResult): Item {
  const { id, title, requirements, operation, outcome, reason, message, reproduce } = check;
  const exchange = decisive(check);
  return {
    kind: "check",
    id,
    title,
    requirements,
    operation,
    outcome,
    waived: check.waived !== undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(exchange === undefined ? {} : { exchange }),
    ...(reproduce === undefined ? {} : { command: reproduce.command }),
  };
}

function pairs(before: Item[], after: Item[]): [Item | undefined, Item | undefined][] {
  const olds = new Map(before.map((item) => [item.id, item]));
  const news = new Set(after.map((item) => item.id));
  return [
    ...after.map((item): [Item | undefined, Item] => [olds.get(item.id), item]),
    ...before.filter((item) => !news.has(item.id)).map((item): [Item, undefined] => [item, undefined]),
  ];
}

function isPlannedByOne(before: Item | undefined, after: Item | undefined): boolean {
  return (before ?? after)?.kind === "check" && (before === undefined || after === undefined);
}

function isUntested({ outcome }: { outcome: Outcome }): boolean {
  return outcome === "skip" || outcome === "unsteady";
}

function isTested(item: Item | undefined): item is Item {
  return item !== undefined && !isUntested(item);
}

function isFault(item: Pick<Item, "outcome">, strict: boolean): boolean {
  return item.outcome === "fail" || (strict && item.outcome === "warn");
}

type ComparedPlace = "regressions" | "fixes" | "newlyTested" | "noLongerTested" | "otherChanges";

function classify(
  before: Item | undefined,
  after: Item | undefined,
  strict: boolean,
): ComparedPlace | undefined {
  // An observation that only one run made is no change.
  if (!isTested(before)) return isTested(after) && after.outcome !== "note" ? "newlyTested" : undefined;
  if (!isTested(after)) return before.outcome === "note" ? undefined : "noLongerTested";
  const [was, is] = [isFault(before, strict), isFault(after, strict)];
  if (!was && is && !after.waived) return "regressions";
  if (was && !is) return "fixes";
  return before.outcome === after.outcome && before.waived === after.waived ? undefined : "otherChanges";
}

function change(before: Item | undefined, after: Item | undefined, strict: boolean): Change {
  const item = after ?? before;
  if (item === undefined) throw new Error("a change without a subject");
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
    ...(after?.reason === undefined ? {} : { reason: after.reason }),
    ...(after?.message === undefined ? {} : { message: after.message }),
    ...(failing && after.exchange !== undefined ? { exchange: after.exchange } : {}),
    ...(failing && after.command !== undefined ? { command: after.command } : {}),
  };
}

function comparedRun({ target, run, verdict, labels = {} }: Report): ComparedRun {
  return { baseUrl: target.baseUrl, startedAt: run.startedAt, verdict, partial: run.partial, labels };
}

function conditions(a: Report, b: Report): Condition[] {
  const found: Condition[] = [];
  const add = (kind: Condition["kind"], name: string, before: unknown, after: unknown) => {
    const [from, to] = [text(before), text(after)];
    if (from !== to) found.push({ kind, name, old: from, new: to });
  };
  // The embedded service takes any free port.
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

function text(value: unknown): string {
  if (value === undefined) return "not set";
  return typeof value === "string" ? value : JSON.stringify(value);
}
