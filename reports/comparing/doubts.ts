import { isTested, openQuestions } from "../outcome.ts";
import type { Report } from "../report.ts";
import { count } from "../text.ts";

const MAX_NAMED = 3;

/** Numbers of requirements and checks that were tested before, and are not tested now. */
export interface Lost {
  requirements: number;
  checks: number;
  /** The number of tested requirements that the new edition of the specification lacks. They are not in `requirements`. */
  removed: number;
}

/** Says why the new run may prove less than the old one. */
export function doubtsOf(old: Report, now: Report, lost: Lost): string[] {
  const doubts: string[] = [];
  if (now.verdict === "inconclusive" && old.verdict !== "inconclusive") doubts.push(...openQuestions(now));
  else if (now.problem !== undefined && old.problem === undefined) doubts.push(...openQuestions(now));
  if (now.run.partial && !old.run.partial && !doubts.some((doubt) => doubt.includes("partial")))
    doubts.push("The new run is partial.");
  if (now.endedEarly !== undefined && old.endedEarly === undefined && doubts.length === 0)
    doubts.push(`The new run ended early: ${now.endedEarly}.`);
  if (now.run.options.shard !== undefined && old.run.options.shard === undefined)
    doubts.push("The new run is one shard of a run, and the old one was whole.");
  if (lost.requirements > 0) doubts.push(lostWords(lost.requirements, "requirement"));
  const testedBefore = old.requirements.filter(isTested).length;
  // Two editions that share less than half of their requirements describe different services.
  if (lost.removed * 2 > testedBefore)
    doubts.push(
      `The specification of the new run lacks ${lost.removed} of the ${count(testedBefore, "requirement")} that the old run tested.`,
    );
  const silent = silentOperations(old, now);
  if (silent.length > 0 && doubts.length === 0) {
    const rest = silent.length - MAX_NAMED;
    const more = rest > 0 ? ` and ${count(rest, "more operation")}` : "";
    doubts.push(`Nothing tests ${silent.slice(0, MAX_NAMED).join(", ")}${more} any more.`);
  }
  if (lost.checks > 0 && doubts.length === 0) doubts.push(lostWords(lost.checks, "check"));
  return doubts;
}

function lostWords(lost: number, kind: string): string {
  const [were, are] = lost === 1 ? ["was", "is"] : ["were", "are"];
  return `${count(lost, kind)} that ${were} tested before ${are} not tested now.`;
}

function silentOperations(old: Report, now: Report): string[] {
  const tested = ({ checks }: Report) => new Set(checks.filter(isTested).map(({ operation }) => operation));
  const still = tested(now);
  const known = new Set(now.checks.map(({ operation }) => operation));
  return [...tested(old)].filter((operation) => known.has(operation) && !still.has(operation));
}
