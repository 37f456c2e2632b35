import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCtrf } from "../reports/ctrf.ts";
import { renderHar } from "../reports/har.ts";
import { renderHtml } from "../reports/html/render.ts";
import { renderJson } from "../reports/json.ts";
import { renderJUnit } from "../reports/junit.ts";
import { renderMarkdown } from "../reports/markdown.ts";
import type { Report } from "../reports/report.ts";
import { renderSarif } from "../reports/sarif.ts";
import { UsageError } from "../runner/usage-error.ts";

/** The files of a report, by name. */
export const REPORT_FILES: Readonly<Record<string, (report: Report) => string>> = {
  "report.json": renderJson,
  "report.html": renderHtml,
  "report.xml": renderJUnit,
  "report.md": renderMarkdown,
};

/** Formats that are written only when asked for, by the name that `--export` takes: file and renderer. */
const EXPORTED: Readonly<Record<string, [file: string, render: (report: Report) => string]>> = {
  ctrf: ["report.ctrf.json", renderCtrf],
  sarif: ["report.sarif", renderSarif],
  har: ["report.har", renderHar],
};

/**
 * Writes the report in every format, and those of `exported`, into `folder`, which is made when it is not there. A file is replaced in one
 * step, so that nobody reads half of it. Returns the names of the files written. Throws UsageError when it cannot.
 */
export function writeReports(report: Report, folder: string, exported: readonly string[] = []): string[] {
  prepareFolder(folder);
  const formats = [
    ...Object.entries(REPORT_FILES),
    ...exported.flatMap((name) => (EXPORTED[name] ? [EXPORTED[name]] : [])),
  ];
  return formats.map(([name, render]) => {
    const file = join(folder, name);
    writeWhole(file, render(report));
    return file;
  });
}

/** Makes the folder, before anything is sent that would have nowhere to be reported. Throws UsageError. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot make the folder ${folder}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Writes a file so that it is there whole or not at all. Throws UsageError when it cannot be written. */
export function writeWhole(file: string, text: string, mode = 0o666): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, file);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
