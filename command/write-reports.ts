import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { renderCtrf } from "../reports/ctrf.ts";
import { renderHar } from "../reports/har.ts";
import { renderHtml } from "../reports/html/render.ts";
import { renderJUnit } from "../reports/junit.ts";
import { renderMarkdown } from "../reports/markdown.ts";
import { renderJson } from "../reports/render-json.ts";
import type { Report } from "../reports/report.ts";
import { renderSarif } from "../reports/sarif.ts";
import type { CreatedResource } from "../spec/model/result.ts";
import { UsageError } from "../spec/usage-error.ts";
import { refuseCertified, setCertificateAside } from "./certificate-folder.ts";
import { HISTORY, TRAFFIC } from "./recordings.ts";

const REPORT = "report.json";

/** The files of a report, by name. */
const REPORT_FILES: Readonly<Record<string, (report: Report, folder: string) => string>> = {
  [REPORT]: renderJson,
  "report.html": renderHtml,
  "report.xml": (report) => renderJUnit(report),
  "report.md": (report, folder) => renderMarkdown(report, { folder }),
};

/** What the run made on the service, written as it is made, so that it is known also when the run dies. */
export const CREATED = "created.json";

/** Lists what the run has made so far. A folder that can't be written to any more costs the list, not the run. */
export function writeCreated(created: readonly CreatedResource[], folder: string): void {
  try {
    // It has to outlive the run, not the machine; to wait for the disk at each creation would hold up the run.
    writeWhole(join(folder, CREATED), `${JSON.stringify({ created }, null, 2)}\n`, { flush: false });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

/** Formats that are written only when asked for, by the name that `--export` takes: file and renderer. */
const EXPORTED: Readonly<Record<string, [file: string, render: (report: Report) => string]>> = {
  ctrf: ["report.ctrf.json", renderCtrf],
  sarif: ["report.sarif", renderSarif],
  har: ["report.har", renderHar],
};

/** Where the reports lie, and, where one does not lie where it was wanted, a sentence that says so. */
export interface Written {
  files: string[];
  elsewhere?: string;
}

/**
 * Writes the report in every format, and those of `exported`, into `folder`, which is made when it is not there; what
 * can't be written there any more goes into a folder for temporary files. A file is replaced in one step, so that
 * nobody reads half of it. Never throws: what the run found is not lost with a disk.
 */
export function writeReports(report: Report, folder: string, exported: readonly string[] = []): Written {
  const formats = [
    ...Object.entries(REPORT_FILES),
    ...exported.flatMap((name) => (EXPORTED[name] ? [EXPORTED[name]] : [])),
  ];
  const texts = formats.map(([name, render]): [name: string, text: string] => [name, render(report, folder)]);
  const first = writeInto(() => folder, texts);
  if (first.problem === undefined) return { files: first.files };
  let other = "";
  const left = texts.filter(([name]) => !first.files.includes(join(folder, name)));
  // An earlier report must not pass for this one, beside those of its files that could be written.
  for (const [name] of left) tryToPutAside(folder, name);
  const second = writeInto(() => {
    other ||= mkdtempSync(join(tmpdir(), "conformance-report-"));
    return other;
  }, left);
  const names = (files: readonly string[]) => files.map((file) => basename(file)).join(", ");
  const moved = second.files.length === texts.length ? "the reports" : names(second.files);
  const lost = left.filter(([name]) => !second.files.includes(join(other, name))).map(([name]) => name);
  const parts = [
    first.problem,
    ...(second.files.length > 0 ? [`${moved} are in ${other} instead`] : []),
    ...(lost.length > 0 ? [`there is no place for ${names(lost)}`] : []),
  ];
  return { files: [...first.files, ...second.files], elsewhere: parts.join("; ") };
}

/** Writes what can be written; `problem` is why the first of the others could not. */
function writeInto(
  place: () => string,
  texts: readonly [name: string, text: string][],
): { files: string[]; problem?: string } {
  const files: string[] = [];
  let problem: string | undefined;
  for (const [name, text] of texts) {
    try {
      const file = join(place(), name);
      makeFolder(dirname(file));
      writeWhole(file, text);
      files.push(file);
    } catch (error) {
      problem ??= (error as Error).message;
    }
  }
  return { files, ...(problem === undefined ? {} : { problem }) };
}

/**
 * Makes the folder and sees that reports can be written there, before anything is sent that would have nowhere to be
 * reported. Removes half-written files of an earlier run.
 *
 * @throws UsageError if nothing can be written there, or if the folder holds a valid certificate.
 */
export function openFolder(folder: string): void {
  refuseCertified(folder);
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    if (HALF_WRITTEN.test(name)) rmSync(join(folder, name), { force: true });
  }
  for (const name of Object.keys(REPORT_FILES)) {
    if (statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`cannot write ${join(folder, name)}: it is a folder`);
  }
  const trial = join(folder, "report.trial");
  writeWhole(trial, "x".repeat(64 * 1024));
  rmSync(trial, { force: true });
}

/** Files that a run was writing when it was ended. */
const HALF_WRITTEN = /^(report|certificate|created|comparison|history|traffic)\.[a-z.]+\.\d+\.tmp$/;

/** Moves what an earlier run left out of the way, so that nobody takes it for the work of the run that begins now. */
export function setAside(folder: string): void {
  setCertificateAside(folder);
  const created = join(folder, CREATED);
  if (existsSync(created)) renameSync(created, join(folder, "created.previous.json"));
  // If something else has the name of such a file, it can't be written at the end, and that is said then.
  for (const name of [HISTORY, TRAFFIC]) tryToPutAside(folder, name);
  const exported = Object.values(EXPORTED).map(([name]) => name);
  for (const name of [...Object.keys(REPORT_FILES), ...exported]) putAside(folder, name);
}

/** Gives an earlier report.json another name; its other formats are made from it, and are removed. */
function putAside(folder: string, name: string): void {
  const file = join(folder, name);
  if (!existsSync(file)) return;
  if (name === REPORT) renameSync(file, join(folder, "report.previous.json"));
  else rmSync(file, { force: true });
}

function tryToPutAside(folder: string, name: string): void {
  try {
    putAside(folder, name);
  } catch {
    // Where nothing can be renamed either, the message that the report is elsewhere has to do.
  }
}

/** Makes a folder, one level after the other: where none can be made (under /proc) Node's own way may never return. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) {
    missing.unshift(there);
    there = dirname(there);
  }
  try {
    for (const level of missing) mkdirSync(level);
    if (!statSync(resolve(folder)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  } catch (error) {
    throw new UsageError(`cannot make the folder ${folder}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Writes a file so that it is there whole or not at all. Throws UsageError when it cannot be written. */
export function writeWhole(file: string, text: string, { mode = 0o666, flush = true } = {}): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode, flush });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
