import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { count } from "../reports/text.ts";
import { conduct, prepareRun } from "../runner/run.ts";
import { UsageError } from "../runner/usage-error.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type Flags, valuesFrom } from "./flags.ts";
import type { OptionValues } from "./options/options.ts";
import { complain, print } from "./output.ts";
import { presenter } from "./present.ts";
import { prepareFolder, writeReports, writeWhole } from "./write-reports.ts";

/** `run`: the suite against a target, reports written, a summary printed. Returns the exit code. */
export async function runCommand(flags: Flags): Promise<number> {
  const values = valuesFrom(flags);
  const suggestion = suggestionFile(flags.suggestProfile, values);
  const { report, interrupted, suggestedProfile } = await runAndReport(values, suggestion !== undefined);
  if (suggestion !== undefined) {
    if (suggestedProfile === undefined) complain(`payments-conformance: no profile: the run did not end`);
    else {
      writeWhole(suggestion, suggestedProfile);
      const quiet = values.reporter === "json" || values.reporter === "silent";
      if (!quiet) print(`  profile   ${relative(process.cwd(), suggestion)}, to correct and sign off\n`);
    }
  }
  return exitCodeOf(report, interrupted);
}

/** The file that `--suggest-profile` is to write. Throws UsageError rather than overwrite, and for a part of a run. */
function suggestionFile(flag: unknown, values: OptionValues): string | undefined {
  if (flag === undefined) return undefined;
  const name = typeof flag === "string" && flag !== "" ? flag : "profile.yaml";
  const file = resolve(name);
  if (existsSync(file))
    throw new UsageError(`--suggest-profile: ${name} is already there; name another file`);
  if (values.shard !== undefined)
    throw new UsageError("--suggest-profile needs a whole run, and --shard makes it a part");
  return file;
}

/** Runs with settled options; writes the reports and prints the summary. Throws UsageError before anything is sent. */
export async function runAndReport(values: OptionValues, suggestProfile = false): ReturnType<typeof conduct> {
  const out = values.out ?? "conformance-report";
  const present = presenter(values.reporter, values.strict ?? false);
  const preparation = await prepareRun(values, {}, suggestProfile);
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
  present.summary(conducted.report, writeReports(conducted.report, out, values.export));
  return conducted;
}
