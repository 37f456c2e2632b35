import { openQuestions, runFails } from "../../reports/outcome.ts";
import type { Report } from "../../reports/report.ts";

export const EXIT = {
  ok: 0,
  fails: 1,
  usage: 2,
  notJudged: 3,
  unknownSigner: 4,
  expired: 5,
  interrupted: 130,
} as const;

/**
 * Returns the exit code of the run. Failures in the baseline count as passed. `--allow-inconclusive` excuses
 * no unreachable target.
 */
export function exitCodeOf(report: Report, interrupted: boolean): number {
  if (interrupted) return EXIT.interrupted;
  const nothingNew = report.summary.known !== undefined && !runFails(report);
  if (report.verdict === "nonconformant" && !nothingNew) return EXIT.fails;
  if (report.verdict === "conformant") return EXIT.ok;
  if (nothingNew && openQuestions(report).length === 0) return EXIT.ok;
  const allowed = report.problem === undefined && report.run.options.allowInconclusive === true;
  return allowed ? EXIT.ok : EXIT.notJudged;
}
