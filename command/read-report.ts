import type { Report } from "../reports/report.ts";
import { validateReport } from "../reports/validate.ts";
import { MOST_MEGABYTES, readJson } from "../spec/loading/read-file.ts";
import { UsageError } from "../spec/usage-error.ts";

export function readReport(file: string): Report {
  const value = readJson(file, "report", MOST_MEGABYTES.report, `${file} is no report`);
  const validation = validateReport(value);
  if (!validation.valid) {
    throw new UsageError(`${file} is no report: ${validation.errors.slice(0, 5).join("; ")}`);
  }
  return validation.report;
}
