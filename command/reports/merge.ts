import { resolve } from "node:path";
import { MergeError, mergeReports } from "../../reports/comparing/merge.ts";
import type { Report } from "../../reports/report.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { refuseCertified } from "../certificates/folder.ts";
import type { Flags } from "../flags.ts";
import { OPTIONS, REPORTERS, type ReporterName } from "../options/options.ts";
import { complain } from "../output.ts";
import { EXIT, exitCodeOf } from "../running/exit-codes.ts";
import { presenter } from "../running/present.ts";
import { openFolder, setAside, writeReports } from "../running/write-reports.ts";
import { choose } from "../setup/choose.ts";
import { readReport } from "./read-report.ts";

/** Writes the report of all shards, and returns the exit code. */
export function mergeCommand(files: readonly string[], flags: Flags): number {
  const reporter = reporterOf(flags.reporter);
  const out = typeof flags.out === "string" && flags.out !== "" ? flags.out : OPTIONS.out.default;
  const folder = resolve(out ?? ".");
  refuseCertified(folder);
  const report = mergedReport(files, flags.allowInconclusive === true);
  openFolder(folder);
  setAside(folder);
  const written = writeReports(report, folder);
  if (written.misplaced !== undefined) complain(`payments-conformance: ${written.misplaced}`);
  presenter(reporter, report.run.options.strict === true).summary(report, written.files);
  const code = exitCodeOf(report, false);
  return written.misplaced !== undefined && code === EXIT.ok ? EXIT.notJudged : code;
}

function reporterOf(given: unknown): ReporterName | undefined {
  return given === undefined ? undefined : choose("--reporter", given, REPORTERS);
}

function mergedReport(files: readonly string[], allowInconclusive: boolean): Report {
  try {
    return mergeReports(files.map(readReport), allowInconclusive);
  } catch (error) {
    if (error instanceof MergeError) throw new UsageError(error.message);
    throw error;
  }
}
