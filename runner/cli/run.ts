import { relative } from "node:path";
import { conduct, prepareRun } from "../conduct.ts";
import type { OptionValues } from "../config/options.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { prepareFolder, writeReports } from "../write-reports.ts";
import { type Flags, valuesFrom } from "./flags.ts";
import { presenter } from "./present.ts";

/** `run`: the suite against a target, reports written, a summary printed. Returns the exit code. */
export async function runCommand(flags: Flags): Promise<number> {
  const { report, interrupted } = await runAndReport(valuesFrom(flags));
  return exitCodeOf(report, interrupted);
}

/** Runs with settled options; writes the reports and prints the summary. Throws UsageError before anything is sent. */
export async function runAndReport(values: OptionValues): ReturnType<typeof conduct> {
  const out = values.out ?? "conformance-report";
  const present = presenter(values.reporter, values.strict ?? false);
  const preparation = await prepareRun(values);
  try {
    prepareFolder(out);
  } catch (error) {
    await preparation.close();
    throw error;
  }
  const conducted = await conduct(preparation, present.progress(preparation.planned));
  const files = writeReports(conducted.report, out).map((file) => relative(process.cwd(), file));
  present.summary(conducted.report, files);
  return conducted;
}
