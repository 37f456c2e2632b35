import { statSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { MOST_MEGABYTES, readJson } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";

/**
 * Reads a report, or the one in the folder of a run.
 * @throws UsageError if there is no valid report
 */
export function readReport(name: string): Report {
  const file = isFolder(name) ? join(name, "report.json") : name;
  const value = readJson(file, "report", MOST_MEGABYTES.report, `${file} is no report`);
  const validation = validateReport(value);
  if (!validation.valid) {
    throw new UsageError(`${file} is no report: ${validation.errors.slice(0, 5).join("; ")}`);
  }
  return validation.report;
}

/** False also for a path that can't be read, such as a link to itself. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
