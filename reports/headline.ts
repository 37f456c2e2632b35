import { ACCEPTED_FAULT, causeOf } from "./causes.ts";
import { type Finding, failures, findingsInWords, knownFindings } from "./findings.ts";
import { judgedInWords } from "./judged-words.ts";
import { isNotSelected, isStrict, isTested, openQuestions, runFails, untestedMusts } from "./outcome.ts";
import type { Report, RequirementResult } from "./report.ts";
import { count, number } from "./text.ts";
import { decidingOffers } from "./unlocks.ts";

export interface MustCounts {
  total: number;
  inScope: number;
  tested: number;
  held: number;
  failing: number;
  /** Waived requirements count neither as tested nor as failing. */
  waived: number;
  untested: number;
  outOfScope: number;
}

export function mustCounts(report: Report): MustCounts {
  const musts = report.requirements.filter(({ level, checks }) => level === "MUST" && checks.length > 0);
  const inScope = musts.filter((requirement) => requirement.inScope);
  const isWaived = ({ outcome, waived }: RequirementResult) => outcome === "fail" && waived === true;
  const waived = musts.filter(isWaived).length;
  const failing = musts.filter(({ outcome }) => outcome === "fail").length - waived;
  const tested = musts.filter(isTested).length - waived;
  return {
    total: musts.length,
    inScope: inScope.length,
    tested,
    held: tested - failing,
    failing,
    waived,
    untested: untestedMusts(report.requirements).length,
    outOfScope: musts.length - inScope.length,
  };
}

function uncertainInWords({ checks }: Report): string | false {
  const uncertain = new Set(
    checks.filter(({ reason }) => reason === "uncertain").flatMap(({ requirements }) => requirements),
  );
  if (uncertain.size === 0) return false;
  return `${number(uncertain.size)} may be violated, unless other clients wrote; --sole-writer says that none did.`;
}

function waivedInWords(report: Report): string | undefined {
  const { waived } = mustCounts(report);
  if (waived === 0) return undefined;
  const [first = ""] = report.checks.flatMap((check) => check.waived?.expires ?? []).sort();
  const words = count(waived, "MUST requirement is", "MUST requirements are");
  return `${words} violated and waived, ${waived === 1 ? "" : "the first "}until ${first}`;
}

export function depthInWords({ depth, leftToOtherSeeds = 0, checks, run }: Report): string {
  if (depth !== "quick" || leftToOtherSeeds === 0) return depth === undefined ? "" : `depth ${depth}`;
  if (checks.some(({ reason }) => isNotSelected(reason)))
    return `depth quick: a part of the probes, chosen by seed ${run.seed}`;
  const share = Math.round((100 * checks.length) / (checks.length + leftToOtherSeeds));
  return `depth quick: about ${share} % of the checks, chosen by seed ${run.seed}`;
}

const MOST_OFFERS = 3;

/** Returns the verdict as title and sentence, with which every format begins. */
export function headline(report: Report): { title: string; sentence: string } {
  const { judged, verdict, complaints = [] } = report;
  const waived = waivedInWords(report);
  const acceptedFaults = countIfAllFaultsAccepted(report);
  const sentences: (string | false)[] = [
    judged !== undefined && judgedInWords(judged),
    judged !== undefined && uncertainInWords(report),
    verdict === "conformant" &&
      `${scopeInNumbers(report)} tested, and nothing ${waived === undefined ? "" : "else "}fails.`,
    ...failuresInSentences(report),
    waived !== undefined && `${waived}.`,
    acceptedFaults > 0 &&
      `The service rejects nothing: ${number(acceptedFaults)} kinds of invalid calls were all accepted.`,
    complaints.length > 0 && `${count(complaints.length, "complaint")} about the run itself.`,
    ...openInSentences(report),
    ...(judged === undefined ? extentInSentences(report) : []),
  ];
  return { title: titleOf(report), sentence: sentences.filter((sentence) => sentence !== false).join(" ") };
}

/** Says how many requirements are violated, in how many findings and checks. */
function failuresInSentences(report: Report): string[] {
  const [failing, known] = [failures(report), knownFindings(report)];
  const sentences: string[] = [];
  if (failing.length > 0) {
    const checks = failing.reduce((sum, finding) => sum + finding.checks.length, 0);
    sentences.push(
      `${violatedInWords(failing)} violated: ${findingsInWords(failing)}, in ${count(checks, "check")}.`,
    );
  }
  const warns = failing.filter(({ first }) => first.outcome === "warn").length;
  if (warns > 0 && isStrict(report))
    sentences.push(
      `Under --strict ${count(warns, "warning counts as a failure", "warnings count as failures")}.`,
    );
  if (known.length > 0)
    sentences.push(`${violatedInWords(known)} violated as in the baseline: ${findingsInWords(known)}.`);
  return sentences;
}

function violatedInWords(findings: readonly Finding[]): string {
  const violated = new Set(findings.map(({ requirement }) => requirement.id)).size;
  return count(violated, "requirement is", "requirements are");
}

/** Says what keeps the run from a verdict, and what would help. */
function openInSentences(report: Report): string[] {
  const { judged, problem, verdict } = report;
  const open = openQuestions(report);
  if (judged !== undefined) return open;
  const isInconclusive = verdict === "inconclusive";
  const isOnlyOpen = open.length > 0 && problem === undefined && (isInconclusive || !runFails(report));
  const offers = isInconclusive ? decidingOffers(report).slice(0, MOST_OFFERS) : [];
  return [
    ...(isOnlyOpen ? [isInconclusive ? "Nothing fails, but:" : "Nothing new fails, but:"] : []),
    ...open,
    ...(offers.length > 0 ? [`What would decide it: ${offers.join("; ")}.`] : []),
  ];
}

/** Says how much was tested: scope, depth, and the parts that the run left out. */
function extentInSentences(report: Report): string[] {
  const { problem, verdict, checks } = report;
  const sentences: string[] = [];
  if (problem === undefined && verdict !== "conformant")
    sentences.push(`Scope: ${scopeInNumbers(report)} tested.`);
  if (isInsecure(report)) sentences.push("The certificate of the target was not checked (--insecure).");
  const left = checks.filter(({ reason }) => reason === "left-out").length;
  if (left > 0)
    sentences.push(
      `${number(left)} of ${count(checks.length, "check")} ${left === 1 ? "was" : "were"} left out (--within, --preset); those that find the most were tried.`,
    );
  const depth = depthInWords(report);
  if (depth !== "" && problem === undefined)
    sentences.push(`${depth.slice(0, 1).toUpperCase()}${depth.slice(1)}.`);
  return sentences;
}

export function isInsecure({ run }: Pick<Report, "run">): boolean {
  return run.options.insecure === true;
}

function titleOf(report: Report): string {
  const { verdict } = report;
  if (verdict === "inconclusive") return "Inconclusive";
  if (verdict === "conformant")
    return mustCounts(report).waived > 0 ? "Conformant in scope but for waivers" : "Conformant in scope";
  return runFails(report) ? "Not conformant" : "Not conformant, but nothing new fails";
}

/** A service rejects nothing if it accepts faults of this many kinds. */
const ENOUGH_REJECTIONS = 10;

/**
 * Returns how many faulty requests were accepted if none was rejected, and else 0: probably the service checks
 * nothing.
 */
function countIfAllFaultsAccepted(report: Report): number {
  const { only } = report.run.options;
  if (Array.isArray(only) && only.length > 0) return 0;
  const asked = report.checks.filter(
    ({ mustReject, outcome }) => mustReject !== undefined && ["pass", "fail", "warn"].includes(outcome),
  );
  const refused = asked.filter((check) => causeOf(check) !== ACCEPTED_FAULT);
  return refused.length === 0 && asked.length >= ENOUGH_REJECTIONS ? asked.length : 0;
}

export function labelsInWords({ labels = {} }: Pick<Report, "labels">): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

/** Says how many operations and MUST requirements were tested. */
export function scopeInNumbers(report: Report): string {
  const musts = mustCounts(report);
  const must = `${number(musts.tested)} of ${number(musts.total)} MUST requirements`;
  if (report.operations === undefined) return must;
  const tested = report.operations.filter(
    ({ shown, successes, musts: own }) => own.tested > 0 && (!shown || successes > 0),
  );
  // An operation without a documented shape is tested for the rejection of faulty tokens only.
  const forAccess = tested.filter(({ shown }) => !shown).length;
  const part = forAccess > 0 ? ` (${number(forAccess)} for authentication alone)` : "";
  return `${number(tested.length)} of ${count(report.operations.length, "operation")}${part}, ${must}`;
}

export function rulesOffInWords({ spec: { rulesOff = [] } }: Pick<Report, "spec">): string | undefined {
  if (rulesOff.length === 0) return undefined;
  return `${count(rulesOff.length, "rule")} of the suite ${rulesOff.length === 1 ? "is" : "are"} off: the edition has no such requirement (list names them).`;
}
