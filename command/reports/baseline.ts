import { join, resolve } from "node:path";
import type { Baseline } from "../../runner/reporting/baseline.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { OptionValues } from "../options/options.ts";
import { readReport } from "./read-report.ts";

/**
 * Returns the failures that `--baseline` makes known.
 * @throws UsageError if this run would replace the file.
 */
export function readBaseline({ baseline: file, out }: OptionValues): Baseline | undefined {
  if (file === undefined) return undefined;
  if (out !== undefined && resolve(file) === resolve(join(out, "report.json")))
    throw new UsageError(
      `--baseline ${file} is replaced by this run, and each new failure would be known in the next one; give it another name`,
    );
  const { checks, depth = "full", run, problem } = readReport(file);
  if (problem !== undefined)
    throw new UsageError(
      `--baseline ${file}: its target could not be judged, so it says nothing of failures`,
    );
  const violated = checks.flatMap(({ id, outcome }) =>
    outcome === "fail" || outcome === "warn" ? [[id, outcome] as const] : [],
  );
  return { file, depth, seed: run.seed, violated: new Map(violated) };
}
