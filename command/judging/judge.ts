import { dirname, resolve } from "node:path";
import type { Report } from "../../reports/report.ts";
import { shown } from "../../reports/text.ts";
import type { Found } from "../../runner/judging/found.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type Flags, isGiven, valuesFrom } from "../flags.ts";
import { interruption } from "../interruption.ts";
import type { OptionValues } from "../options/options.ts";
import { complain, isQuiet, print } from "../output.ts";
import { EXIT, exitCodeOf } from "../running/exit-codes.ts";
import { presenter } from "../running/present.ts";
import { openFolder, setAside, writeReports } from "../running/write-reports.ts";
import { judgeListening, listenOptions } from "./listen.ts";
import { LiveJudge } from "./live-judge.ts";
import { othersTraffic, readFiles, reportOnOthers } from "./others-traffic.ts";
import { judgeHistory } from "./own-history.ts";
import { type Judging, prepareJudging } from "./prepare.ts";
import { openTraffic, type TrafficFile } from "./traffic-file.ts";

/** Judging must not replace the reports of runs. */
const DEFAULT_FOLDER = "conformance-judged";

/** Returns 1 or 3, as traffic never proves conformance. `--allow-inconclusive` turns 3 into 0. */
export async function judgeCommand(files: readonly string[], flags: Flags): Promise<number> {
  const values = valuesFrom(flags, { sendsNothing: true });
  const proxied = listenOptions(flags);
  const out = isGiven(flags, "out") && values.out !== undefined ? values.out : resolve(DEFAULT_FOLDER);
  for (const file of files)
    if (file !== "-" && dirname(resolve(file)) === out)
      throw new UsageError(`--out must be another folder than the one that ${file} lies in`);
  if (proxied && files.length > 0) throw new UsageError("with --listen there are no files to judge");
  if (!proxied && files.length === 0)
    throw new UsageError("name a file of recorded traffic, or - for standard input");
  if (flags.follow === true && files.length > 1)
    throw new UsageError("--follow waits at the end of a file, so it takes one file only");
  const judging = prepareJudging(values, flags);
  const live = (found: Found) => isQuiet(values) || printViolation(found);
  if (proxied) {
    openFolder(out);
    setAside(out);
    const stopped = interruption(() => undefined);
    const report = await judgeListening(judging, { ...proxied, stopped, tell: live, say: complain });
    return presentReport(report, values, out);
  }
  const notices: string[] = [];
  const notice = (sentence: string) => void notices.push(sentence);
  const follow = flags.follow === true ? interruption(() => undefined) : undefined;
  const opened: TrafficFile[] = [];
  for (const file of files) opened.push(await openTraffic(file, { notice, follow }));
  openFolder(out);
  setAside(out);
  return presentReport(await judgeFiles(judging, opened, notices, follow && live), values, out);
}

/** Judges the files: as the history of a run if they are one, and else as the traffic of others. */
async function judgeFiles(
  judging: Judging,
  files: readonly TrafficFile[],
  notices: string[],
  live: ((found: Found) => void) | undefined,
): Promise<Report> {
  if (files.some(({ format }) => format === "history")) return judgeHistory(judging, files, notices);
  const traffic = othersTraffic(judging);
  const judge = new LiveJudge(traffic, live);
  await readFiles(files, judge, notices);
  judge.end();
  const names = files.map(({ name }) => name);
  return reportOnOthers(judging, traffic, names, notices);
}

function printViolation({ check, violation }: Found): void {
  if (!violation) return;
  const { expected, actual } = violation;
  const what = `${check.requirements.join(", ")} at ${check.operation}`;
  print(`violated: ${what}: ${shown(`expected ${expected}, got ${actual}`, 500)}\n`);
}

function presentReport(report: Report, values: OptionValues, out: string): number {
  const written = writeReports(report, out, values.export);
  if (written.misplaced !== undefined) complain(`payments-conformance: ${written.misplaced}`);
  presenter(values.reporter, values.strict ?? false).summary(report, written.files);
  const code = exitCodeOf(report, false);
  return written.misplaced !== undefined && code === EXIT.ok ? EXIT.notJudged : code;
}
