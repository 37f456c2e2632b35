/** How much of a run's findings its traffic shows to somebody who does not know which check sent a request. */

import type { Variant } from "../../reference/index.ts";
import { judgedAsOthers, type RecordedRun, violatedBy, violatedIn } from "./traffic.ts";

export interface Missed {
  /** Findings that are missed if others may have written. */
  others: string[];
  /** Findings that are missed if nobody else wrote (`--sole-writer`). */
  soleWriter: string[];
}

/** The findings of a run at a defect, and those that the traffic does not show. A finding is a requirement at an operation. */
export interface Judged {
  name: string;
  run: string[];
  missed: Missed;
  /** Findings of judging that the run does not have. */
  more: string[];
}

export function judgedDefect(name: string, run: RecordedRun): Judged {
  const inRun = violatedBy(run.results);
  const [others, soleWriter] = [false, true].map((isWhole) => violatedIn(judgedAsOthers(run, isWhole)));
  const missedBy = (found: ReadonlySet<string> = new Set()) =>
    [...inRun].filter((place) => !found.has(place));
  return {
    name,
    run: [...inRun],
    missed: { others: missedBy(others), soleWriter: missedBy(soleWriter) },
    more: [...(soleWriter ?? [])].filter((place) => !inRun.has(place)),
  };
}

/** False alarms: sentences about violations that the traffic of a conforming service seems to show. */
export function judgedVariant(
  { name, warns = [] }: Pick<Variant, "name"> & { warns?: readonly string[] },
  run: RecordedRun,
): string[] {
  return [false, true].flatMap((isWhole) =>
    judgedAsOthers(run, isWhole).flatMap(({ check, violated, violation }) => {
      // A SHOULD that a variant declares not to follow is no false alarm.
      if (violated === 0 || check.requirements.some((id) => warns.includes(id))) return [];
      const { expected, actual } = violation ?? {};
      const writer = isWhole ? "sole writer" : "others";
      return [`FALSE ALARM on ${name} (${writer}): ${check.id}: expected ${expected}, got ${actual}`];
    }),
  );
}

interface Share {
  /** Defects of which at least one finding is found, among those that the run finds. */
  defects: number;
  ofDefects: number;
  findings: number;
  ofFindings: number;
}

export function shares(judged: readonly Judged[]): {
  defects: number;
  findings: number;
  others: Share;
  soleWriter: Share;
} {
  const detectable = judged.filter(({ run }) => run.length > 0);
  const findings = detectable.reduce((sum, { run }) => sum + run.length, 0);
  const share = (kind: keyof Missed): Share => {
    const found = detectable.filter(({ run, missed }) => missed[kind].length < run.length).length;
    const shown = findings - detectable.reduce((sum, { missed }) => sum + missed[kind].length, 0);
    return {
      defects: found,
      ofDefects: found / Math.max(1, detectable.length),
      findings: shown,
      ofFindings: shown / Math.max(1, findings),
    };
  };
  return { defects: detectable.length, findings, others: share("others"), soleWriter: share("soleWriter") };
}
