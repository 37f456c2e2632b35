import type { Report } from "../reports/report.ts";
import { UsageError } from "../spec/usage-error.ts";
import { type OptionName, optionOf } from "./options/options.ts";

/**
 * Without secrets; with `embedded`, for the reference service of the new run. @throws UsageError if an option
 * does not take its value, since a report may have been edited
 */
export function recordedValues(
  report: Report,
  names: readonly OptionName[],
  embedded: boolean,
): Map<OptionName, unknown> {
  const { baseUrl, paths } = report.target;
  const options: Record<string, unknown> = {
    ...report.run.options,
    ...(embedded ? { embedded } : { baseUrl }),
    paths,
    seed: report.run.seed,
  };
  const recorded = new Map<OptionName, unknown>();
  for (const name of names) {
    // A report may come from others, so its commands are never run.
    if (options[name] === undefined || name === "fixtureCommand") continue;
    try {
      recorded.set(name, optionOf(name).kind.fromFile(options[name], true));
    } catch (error) {
      throw new UsageError(`the report's option ${name} ${(error as Error).message}`);
    }
  }
  return recorded;
}
