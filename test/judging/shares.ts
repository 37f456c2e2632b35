/** Compares the findings of a run with those that judging its recorded traffic gives. */

import type { Variant } from "../../reference/index.ts";
import { judgedAsOthers, type RecordedRun, violatedBy, violatedIn } from "./traffic.ts";

export interface Missed {
  /** Findings that judging misses if it assumes that other clients wrote, too. */
  others: string[];
  /** Findings that judging misses even if it assumes that no other client wrote (`--sole-writer`). */
  soleWriter: string[];
}

/** The findings for one defect. A finding is text such as `LIST-COUNT GET /webhooks`. */
export interface Judged {
  /** The name of the defect. */
  name: string;
  /** Findings of the run itself. */
  run: string[];
  missed: Missed;
  /** Findings that only judging the traffic gives. */
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

/** Returns false alarms: messages about violations in the traffic of a conforming service. */
export function judgedVariant(
  { name, warns = [] }: Pick<Variant, "name"> & { warns?: readonly string[] },
  run: RecordedRun,
): string[] {
  return [false, true].flatMap((isWhole) =>
    judgedAsOthers(run, isWhole).flatMap(({ check, violated, violation }) => {
      // The variant declares that it does not follow this SHOULD, so the violation is real.
      if (violated === 0 || check.requirements.some((id) => warns.includes(id))) return [];
      const { expected, actual } = violation ?? {};
      const writer = isWhole ? "sole writer" : "others";
      return [`FALSE ALARM on ${name} (${writer}): ${check.id}: expected ${expected}, got ${actual}`];
    }),
  );
}

interface Share {
  /** The number of defects for which both the run and the judged traffic have a finding in common. */
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
