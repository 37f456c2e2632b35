import { count } from "../../reports/text.ts";
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
  const { settings, planned } = preparation;
  const progress = present.progress(planned);
  const tried = count(planned.filter(({ skip }) => skip === undefined).length, "check");
  const target = settings.embedded ? "the embedded reference service" : settings.baseUrl;
  progress.say(`Running ${tried} against ${target}, seed ${settings.seed}.`);
  const conducted = await conduct(preparation, progress);
  present.summary(conducted.report, writeReports(conducted.report, out));
  return conducted;
}
