import type { Report } from "../../reports/report.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type OptionName, optionOf } from "../options/options.ts";

/**
 * Returns the options of an earlier run from its report.
 * @throws UsageError if somebody edited an option into a wrong value
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
    // A command in somebody else's report must not run.
    if (options[name] === undefined || name === "fixtureCommand") continue;
    try {
      recorded.set(name, optionOf(name).kind.fromFile(options[name], true));
    } catch (error) {
      throw new UsageError(`the report's option ${name} ${(error as Error).message}`);
    }
  }
  return recorded;
}
