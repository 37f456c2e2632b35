import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { getHeapStatistics } from "node:v8";
import { isFailing, isStrict } from "../../reports/outcome.ts";
import { count, shown } from "../../reports/text.ts";
import { type FinishedRun, type Progress, runToReport } from "../../runner/run.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type Flags, valuesFrom } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { withThoseThatAsked } from "../listing/asked-by.ts";
import type { OptionValues } from "../options/options.ts";
import { complain, isQuiet, print } from "../output.ts";
import { readReport } from "../reports/read-report.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { prepareRun } from "./prepare.ts";
import { type Presenter, presenter } from "./present.ts";
import { writeRecordings } from "./recordings.ts";
import { openFolder, setAside, writeCreated, writeReports, writeWhole } from "./write-reports.ts";

/** Runs the suite, writes its reports, and returns the exit code. */
export async function runCommand(flags: Flags): Promise<number> {
  const values = valuesFrom(flags);
  const suggestion = suggestionFile(flags, values);
  const finished = await runAndWrite(values, suggestion !== undefined);
  const { report, interrupted, suggestedProfile, misplaced } = finished;
  finished.summarise(report, finished.files);
  if (suggestion !== undefined) {
    const isSpent = report.run.requests >= (values.maxRequests ?? Number.POSITIVE_INFINITY);
    if (suggestedProfile === undefined || report.run.partial || isSpent)
      complain(`payments-conformance: no profile is suggested: the run did not come to its end`);
    else {
      writeWhole(suggestion, suggestedProfile);
      if (!isQuiet(values))
        print(`  profile   ${shown(relative(process.cwd(), suggestion), 500)}, to correct and sign off\n`);
    }
  }
  const code = exitCodeOf(report, interrupted);
  return misplaced && code === EXIT.ok ? EXIT.notJudged : code;
}

/**
 * Returns the file for the suggested profile, or `undefined`.
 * @throws UsageError if it is there already.
 */
function suggestionFile({ suggestProfile: flag, depth }: Flags, values: OptionValues): string | undefined {
  if (flag === undefined) return undefined;
  const name = typeof flag === "string" && flag !== "" ? flag : "profile.yaml";
  const file = resolve(name);
  if (existsSync(file))
    throw new UsageError(`--suggest-profile: ${name} is already there; name another file`);
  if (values.shard !== undefined)
    throw new UsageError("--suggest-profile needs a whole run, and --shard makes it a part");
  if (depth === "quick")
    throw new UsageError(
      "--suggest-profile tries every probe, and --depth quick leaves most of them out: leave --depth out",
    );
  return file;
}

interface WrittenRun extends FinishedRun {
  files: string[];
  misplaced: boolean;
  summarise: Presenter["summary"];
}

/** Runs the suite and writes its reports. A signal ends the run, and a second one the process. */
export async function runAndWrite(values: OptionValues, suggestProfile = false): Promise<WrittenRun> {
  let progress: Progress | undefined;
  const signal = interruption(() => progress?.say("Ending the run; once more to stop at once."));
  refuseSmallMemory();
  const out = values.out ?? "conformance-report";
  const present = presenter(values.reporter, values.strict ?? false);
  const preparation = await prepareRun(withLastFailed(values, out), { suggestProfile });
  try {
    // A wrong option leaves no folder, and an unusable folder costs no request.
    openFolder(out);
  } catch (error) {
    await preparation.close();
    throw error;
  }
  const { settings, planned } = preparation;
  progress = present.progress(planned);
  const tried = count(planned.filter(({ skip }) => skip === undefined).length, "check");
  const target = settings.embedded ? "the embedded reference service" : settings.baseUrl;
  progress.say(`Running ${tried} against ${target}, seed ${settings.seed}.`);
  setAside(out);
  let unwritten: string[] = [];
  const finished = await runToReport(preparation, progress, signal, {
    created: (created) => writeCreated(created, out),
    ended: (recorded) => {
      const { noHistory = false, traffic = false, showPersonalData: showPeople = false } = values;
      unwritten = writeRecordings(out, recorded, { history: !noHistory, traffic, showPeople });
    },
  });
  const written = writeReports(finished.report, out, values.export);
  for (const problem of unwritten) complain(`payments-conformance: ${problem}`);
  if (written.misplaced !== undefined) complain(`payments-conformance: ${written.misplaced}`);
  return {
    ...finished,
    files: written.files,
    misplaced: written.misplaced !== undefined,
    summarise: present.summary,
  };
}

function withLastFailed(values: OptionValues, out: string): OptionValues {
  if (!values.lastFailed) return values;
  const file = join(out, "report.json");
  const report = readReport(file);
  const failing = report.checks.filter((check) => isFailing(check, isStrict(report)));
  if (failing.length === 0) throw new UsageError(`--last-failed: nothing fails in ${file}`);
  return { ...values, only: withThoseThatAsked(failing), seed: values.seed ?? report.run.seed };
}

/** With a smaller heap (bytes), a run crashes without a report. */
const LEAST_HEAP_BYTES = 120 * 1024 * 1024;

function refuseSmallMemory(): void {
  const { heap_size_limit: limit } = getHeapStatistics();
  if (limit >= LEAST_HEAP_BYTES) return;
  const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
  throw new UsageError(
    `Node may use ${megabytes(limit)} MB of memory here, and a run needs ${megabytes(LEAST_HEAP_BYTES)}: raise --max-old-space-size`,
  );
}
