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
import { renderCtrf } from "../../reports/formats/ctrf.ts";
import { renderHar } from "../../reports/formats/har.ts";
import { renderJUnit } from "../../reports/formats/junit.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { renderSarif } from "../../reports/formats/sarif.ts";
import { renderCoverageHtml } from "../../reports/html/judged-coverage.ts";
import { renderHtml } from "../../reports/html/render.ts";
import { renderCoverageText } from "../../reports/judged-coverage.ts";
import type { Report } from "../../reports/report.ts";
import type { CreatedResource } from "../../spec/model/result.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { refuseCertified, setCertificateAside } from "../certificates/folder.ts";
import type { ExportName } from "../options/options.ts";
import { lockFolder } from "./folder-lock.ts";
import { HISTORY, TRAFFIC } from "./recordings.ts";

const REPORT = "report.json";

const REPORT_FILES: Readonly<Record<string, (report: Report, folder: string) => string>> = {
  [REPORT]: renderJson,
  "report.html": renderHtml,
  "report.xml": (report) => renderJUnit(report),
  "report.md": (report, folder) => renderMarkdown(report, { folder }),
};

const JUDGED_FILES: typeof REPORT_FILES = {
  "coverage.html": renderCoverageHtml,
  "coverage.txt": renderCoverageText,
};

/** The list of created resources. It is written after each create, to survive a crash. */
export const CREATED = "created.json";

export function writeCreated(created: readonly CreatedResource[], folder: string): void {
  try {
    // A flush to disk helps only if the machine crashes.
    writeWhole(join(folder, CREATED), `${JSON.stringify({ created }, null, 2)}\n`, { flush: false });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

type Exported = [file: string, render: (report: Report) => string];
const EXPORTED: Readonly<Record<ExportName, Exported>> = {
  ctrf: ["report.ctrf.json", renderCtrf],
  sarif: ["report.sarif", renderSarif],
  har: ["report.har", renderHar],
};
const exportNamed: ReadonlyMap<string, Exported> = new Map(Object.entries(EXPORTED));

/** `misplaced` says why files are not in the requested folder. */
export interface Written {
  files: string[];
  misplaced?: string;
}

/**
 * Writes all formats of the report into the folder. Never throws, to keep the results: a temporary folder
 * replaces an unwritable one.
 */
export function writeReports(report: Report, folder: string, exported: readonly string[] = []): Written {
  const formats = [
    ...Object.entries(REPORT_FILES),
    ...Object.entries(report.judged === undefined ? {} : JUDGED_FILES),
    ...exported.map((name) => exportNamed.get(name)).filter((known) => known !== undefined),
  ];
  const texts = formats.map(([name, render]): [name: string, text: string] => [name, render(report, folder)]);
  const first = writeInto(() => folder, texts);
  if (first.problem === undefined) return { files: first.files };
  let other = "";
  const left = texts.filter(([name]) => !first.files.includes(join(folder, name)));
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
  return { files: [...first.files, ...second.files], misplaced: parts.join("; ") };
}

/** Writes the texts into the folder. Returns the files, and the problem if one could not be written. */
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
 * Makes and locks the folder, and removes half-written files.
 * @throws UsageError if the folder is not writable, or another process writes into it
 */
export function openFolder(folder: string): void {
  refuseCertified(folder);
  makeFolder(folder);
  lockFolder(folder);
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

const HALF_WRITTEN = /^(report|coverage|certificate|created|comparison|history|traffic)\.[a-z.]+\.\d+\.tmp$/;

/** Sets earlier files aside, so that nobody takes them for those of this command. */
export function setAside(folder: string): void {
  setCertificateAside(folder);
  const created = join(folder, CREATED);
  if (existsSync(created)) renameSync(created, join(folder, "created.previous.json"));
  for (const name of [HISTORY, TRAFFIC]) tryToPutAside(folder, name);
  const exported = Object.values(EXPORTED).map(([name]) => name);
  const names = [...Object.keys(REPORT_FILES), ...Object.keys(JUDGED_FILES), ...exported];
  for (const name of names) putAside(folder, name);
}

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
    // Not fatal: if the new history can't replace the file, a message says where it is.
  }
}

/** Makes the folder and those above it. Below /proc, Node's `recursive` may never return. */
export function makeFolder(folder: string): void {
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

/**
 * Writes the file whole or not at all.
 * @throws UsageError if the file can't be written
 */
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
