import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { badgeNames, badgeSvg } from "../../reports/board/badge.ts";
import { type BesideReport, type Board, type BoardRun, boardOf, runOf } from "../../reports/board/board.ts";
import { sha256 } from "../../reports/certificates/keys.ts";
import { contradictionIn } from "../../reports/contradiction.ts";
import { renderBoardHtml } from "../../reports/html/board.ts";
import { count } from "../../reports/text.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { CERTIFICATE_FILE, PUBLIC_KEY_FILE } from "../certificates/folder.ts";
import { judgeFile } from "../certificates/verify.ts";
import type { Flags } from "../flags.ts";
import { complain, print, shownPath } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { makeFolder, writeWhole } from "../running/write-reports.ts";
import { isFolder, readReport } from "./read-report.ts";

const BOARD_FILE = "board.json";
const DEFAULT_FOLDER = "conformance-board";
const NOT_SEARCHED = ["node_modules", ".git", "renewal"];

/** Writes the board of these reports and folders, and returns the exit code. */
export function boardCommand(names: readonly string[], flags: Flags): number {
  const out = resolve(typeof flags.out === "string" && flags.out !== "" ? flags.out : DEFAULT_FOLDER);
  const now = new Date();
  const runs: BoardRun[] = [];
  const broken: Board["broken"] = [];
  const found = names.map((name) => ({ name, files: reportsIn(resolve(name)) }));
  for (const { name, files } of found)
    if (files.length === 0)
      broken.push({ file: shownPath(resolve(name)), problem: "the folder holds no report.json" });
  for (const file of new Set(found.flatMap(({ files }) => files))) {
    const shownFile = shownPath(file);
    try {
      const report = readReport(file);
      const contradiction = contradictionIn(report);
      if (contradiction !== undefined)
        throw new UsageError(`${shownFile} contradicts itself: ${contradiction}`);
      runs.push(runOf(report, { file: shownFile, ...pageOf(file, out), ...certificateOf(file), now }));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      broken.push({ file: shownFile, problem: error.message });
    }
  }
  if (runs.length === 0)
    throw new UsageError(`there is no report to show: ${broken[0]?.problem ?? "no file is named"}`);
  const board = boardOf(runs, broken, now);
  makeFolder(join(out, "badges"));
  if (existsSync(join(out, BOARD_FILE))) removeBadges(join(out, "badges"));
  writeWhole(join(out, "index.html"), renderBoardHtml(board));
  const services = board.specifications.flatMap((group) => group.services);
  const badges = badgeNames(services.map((service) => service.name));
  for (const [index, service] of services.entries()) {
    service.badge = `badges/${badges[index]}`;
    writeWhole(join(out, service.badge), badgeSvg(service.run));
  }
  writeWhole(join(out, BOARD_FILE), `${JSON.stringify(board, null, 2)}\n`);
  for (const { file, problem } of broken)
    complain(`payments-conformance: ${file} is shown as broken: ${problem}`);
  print(
    `${count(services.length, "service")} of ${count(runs.length, "report")} in ${join(relative(process.cwd(), out), "index.html")}\n`,
  );
  return EXIT.ok;
}

/** Follows links, but into no folder twice. */
function reportsIn(path: string, seen = new Set<string>()): string[] {
  if (!isFolder(path)) return [path];
  const folder = realpathSync(path);
  if (seen.has(folder)) return [];
  seen.add(folder);
  return readdirSync(path)
    .sort()
    .flatMap((name) => {
      const inner = join(path, name);
      if (isFolder(inner) && !NOT_SEARCHED.includes(name)) return reportsIn(inner, seen);
      return name === "report.json" && !isFolder(inner) ? [inner] : [];
    });
}

function pageOf(file: string, out: string): { page?: string } {
  const page = file.replace(/\.json$/, ".html");
  if (page === file || !existsSync(page)) return {};
  const steps = relative(out, page).split(sep).map(encodeURIComponent);
  // A leading dot excludes a URL with a scheme.
  return { page: steps[0] === ".." ? steps.join("/") : `./${steps.join("/")}` };
}

/** Shows changes, but not who signed: a forger can replace the key. */
function certificateOf(file: string): { certificate?: BesideReport } {
  const folder = dirname(file);
  const certificate = join(folder, CERTIFICATE_FILE);
  if (basename(file) !== "report.json" || !existsSync(certificate)) return {};
  // Without the key, the signature can't be checked.
  if (!existsSync(join(folder, PUBLIC_KEY_FILE))) return { certificate: { changed: true } };
  const judged = judgeFile(certificate, { publicKeys: [], certificateOnly: true });
  const { validUntil, files } = judged.certificate?.statement ?? {};
  const changed = !judged.genuine || files?.["report.json"] !== sha256(readFileSync(file));
  return { certificate: { changed, ...(validUntil === undefined ? {} : { validUntil }) } };
}

function removeBadges(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(".svg")) rmSync(join(folder, name));
}
