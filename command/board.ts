import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type BesideReport, type Board, type BoardRun, boardOf, runOf } from "../reports/board.ts";
import { badgeNames, badgeSvg } from "../reports/board-badge.ts";
import { renderBoardHtml } from "../reports/html/board.ts";
import { sha256 } from "../reports/keys.ts";
import { count } from "../reports/text.ts";
import { UsageError } from "../spec/usage-error.ts";
import { CERTIFICATE_FILE, PUBLIC_KEY_FILE } from "./certificate-folder.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { complain, print } from "./output.ts";
import { readReport } from "./read-report.ts";
import { judgeFile } from "./verify.ts";
import { makeFolder, writeWhole } from "./write-reports.ts";

const BOARD_FILE = "board.json";
const DEFAULT_FOLDER = "conformance-board";
const NOT_SEARCHED = ["node_modules", ".git", "renewal"];

export function boardCommand(names: readonly string[], flags: Flags): number {
  const out = resolve(typeof flags.out === "string" && flags.out !== "" ? flags.out : DEFAULT_FOLDER);
  const now = new Date();
  const runs: BoardRun[] = [];
  const broken: Board["broken"] = [];
  for (const file of new Set(names.flatMap(reportsIn))) {
    const shownFile = relative(process.cwd(), file);
    try {
      runs.push(
        runOf(readReport(file), { file: shownFile, ...pageOf(file, out), ...certificateOf(file), now }),
      );
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      broken.push({ file: shownFile, problem: error.message });
    }
  }
  if (runs.length === 0)
    throw new UsageError(
      `there is no report to show: ${broken[0]?.problem ?? "no folder holds a report.json"}`,
    );
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

function reportsIn(name: string): string[] {
  const path = resolve(name);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory() && !NOT_SEARCHED.includes(entry.name)) return reportsIn(join(path, entry.name));
      return entry.isFile() && entry.name === "report.json" ? [join(path, entry.name)] : [];
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
  if (!file.endsWith("report.json") || ![certificate, join(folder, PUBLIC_KEY_FILE)].every(existsSync))
    return {};
  const judged = judgeFile(certificate, { publicKeys: [], certificateOnly: true });
  const { validUntil, files } = judged.certificate?.statement ?? {};
  const changed = !judged.genuine || files?.["report.json"] !== sha256(readFileSync(file));
  return { certificate: { changed, ...(validUntil === undefined ? {} : { validUntil }) } };
}

function removeBadges(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(".svg")) rmSync(join(folder, name));
}
