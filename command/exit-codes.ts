import type { Report } from "../reports/report.ts";

/** What the exit codes of the command mean. */
export const EXIT = { ok: 0, fails: 1, usage: 2, notJudged: 3, interrupted: 130 } as const;

/** The exit code of a run, from its report. */
export function exitCodeOf(report: Report, interrupted: boolean): number {
  if (interrupted) return EXIT.interrupted;
  if (report.verdict === "nonconformant") return EXIT.fails;
  if (report.problem !== undefined) return EXIT.notJudged;
  const complete = report.run.options.requireComplete === true;
  return complete && report.verdict === "inconclusive" ? EXIT.notJudged : EXIT.ok;
}
