import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { HistoryReader, type RecordedHistory } from "../../history/lines.ts";
import { traitsOf } from "../../history/traits/traits.ts";
import type { Report } from "../../reports/report.ts";
import { judgedReport, Tally } from "../../runner/judging/judged-report.ts";
import { compareOutcomes, lastJudged, rejudge } from "../../runner/judging/rejudge.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { readReport } from "../reports/read-report.ts";
import type { Judging } from "./prepare.ts";
import type { TrafficFile } from "./traffic-file.ts";

/**
 * Compares outcomes with a report.json beside the history.
 * @throws UsageError for several files
 */
export async function judgeHistory(
  judging: Judging,
  files: readonly TrafficFile[],
  notices: string[],
): Promise<Report> {
  const { spec, checks, settings } = judging;
  const begin = performance.now();
  const [file, ...others] = files;
  if (!file || others.length > 0)
    throw new UsageError("the history of a run is judged by itself: name one file");
  const recorded = await readRecorded(file, spec, notices);
  if (recorded.spec.sha256 !== spec.sha256)
    notices.push(`${file.name} was recorded with another edition of the specification`);
  const tally = new Tally();
  for (const entry of recorded.entries) tally.add(entry);
  const found = rejudge(spec, checks, recorded);
  const run = reportBeside(file, recorded, notices);
  const agreement = run && compareOutcomes(found, run.checks, spec);
  return judgedReport({
    ...judging,
    settings: { ...settings, seed: recorded.head.seed, baseUrl: run?.target.baseUrl ?? settings.baseUrl },
    found,
    tally,
    notices,
    traits: traitsOf(lastJudged(spec, recorded)),
    traffic: { of: "run", files: [file.name], ...(agreement === undefined ? {} : { agreement }) },
    durationMs: performance.now() - begin,
  });
}

/** Returns the report beside the history if both are of one run, or `undefined`. */
function reportBeside(
  { name }: TrafficFile,
  { head }: RecordedHistory,
  notices: string[],
): Report | undefined {
  const file = join(dirname(name), "report.json");
  if (name === "standard input" || !existsSync(file)) return undefined;
  const report = readReport(file);
  if (report.judged === undefined && report.run.seed === head.seed) return report;
  notices.push(`${file} is of another run, so its outcomes are not compared`);
  return undefined;
}

/** Returns the history of an earlier run, without judgements if lines of it are damaged or missing. */
async function readRecorded(
  { name, lines }: TrafficFile,
  spec: Spec,
  notices: string[],
): Promise<RecordedHistory> {
  const reader = new HistoryReader(spec);
  let isFirst = true;
  for await (const [text] of lines) {
    try {
      reader.take(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (isFirst) throw new UsageError(`${name}: ${error.message}`);
      notices.push(`${name}: ${error.message}`);
    }
    isFirst = false;
  }
  const recorded = reader.end();
  if (reader.isEnded && reader.isGapless && notices.length === 0) return recorded;
  const lack = reader.isEnded ? "lacks lines" : "lacks its end, and does not say when its checks were judged";
  notices.unshift(`${name} ${lack}: nothing is judged, because what is missing may explain the rest`);
  return { ...recorded, judgements: [] };
}
