import { basename, dirname } from "node:path";
import picocolors from "picocolors";
import { renderGithub } from "../../reports/formats/github.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import type { Report } from "../../reports/report.ts";
import { shown } from "../../reports/text.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import { type Progress, SILENT } from "../../runner/run.ts";
import type { ReporterName } from "../options/options.ts";
import { print, printAsIs, shownPath } from "../output.ts";
import { liveProgress, plainProgress } from "./progress.ts";

export interface Presenter {
  progress(planned: readonly PlannedCheck[]): Progress;
  summary(report: Report, files: readonly string[]): void;
}

export function reportsLine(files: readonly string[]): string {
  const folder = shown(shownPath(dirname(files[0] ?? "")), 500);
  return `  reports   ${files.map((file) => basename(file)).join(", ")} in ${folder}/`;
}

/** Returns how the run is shown while it goes on and at its end. */
export function presenter(name: ReporterName | undefined, strict: boolean): Presenter {
  const terminal = process.stdout.isTTY === true;
  const chosen = name ?? (terminal ? "pretty" : "plain");
  const color = picocolors.isColorSupported && chosen === "pretty";
  const silent = { progress: () => SILENT };
  if (chosen === "silent") return { ...silent, summary: () => {} };
  if (chosen === "json") return { ...silent, summary: (report) => printAsIs(renderJson(report)) };
  const style = chosen === "pretty" ? "pretty" : "plain";
  const columns = () => process.stdout.columns ?? 80;
  const canRedraw = terminal && process.env.TERM !== "dumb";
  const prettyProgress = canRedraw ? liveProgress : () => SILENT;
  const start = chosen === "pretty" ? prettyProgress : plainProgress;
  return {
    progress: (planned) => start({ planned, strict, write: print, columns, color }),
    summary: (report, files) => {
      // Without a terminal, lines are not wrapped, because a program may read them.
      print(renderTerminal(report, { color, style, ...(terminal ? { width: columns() } : {}) }));
      print(`${reportsLine(files)}\n`);
      if (chosen === "github") printAsIs(renderGithub(report));
    },
  };
}
