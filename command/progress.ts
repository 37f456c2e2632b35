/** What is shown while a run goes on. */

import picocolors from "picocolors";
import { isFailing } from "../reports/outcome.ts";
import type { CheckResult } from "../reports/report.ts";
import { count, shown } from "../reports/text.ts";
import type { PlannedCheck } from "../runner/plan.ts";

export interface Progress {
  /** Takes in a result, and how many requests had been sent by then. */
  result(result: CheckResult, requests?: number): void;
  /** Says something that stays. */
  say(line: string): void;
  /** Removes what was only for the time of the run. */
  end(): void;
}

export interface ProgressOptions {
  planned: readonly PlannedCheck[];
  strict: boolean;
  write: (text: string) => void;
  /** Width of the terminal, asked for at each line. */
  columns: () => number;
  color: boolean;
}

/** Nothing is shown. */
export const SILENT: Progress = { result: () => {}, say: () => {}, end: () => {} };

/** Milliseconds between two lines on a terminal: often enough to see it move. */
const REDRAW = 100;
/** So many failures are told as they come; the summary has them all. */
const MAX_TOLD = 20;

class Tally {
  done = 0;
  failing = 0;
  requests = 0;
  stage = "";
  last: CheckResult | undefined;
  readonly total: number;
  readonly #stages: Map<string, string>;
  readonly #strict: boolean;

  constructor(options: ProgressOptions) {
    // Checks that are left out report at once; they would only blur how far the work is.
    this.#stages = new Map(
      options.planned.filter(({ skip }) => skip === undefined).map(({ check }) => [check.id, check.stage]),
    );
    this.total = this.#stages.size;
    this.#strict = options.strict;
  }

  /** Counts a result; whether it is a failure. Results of checks that are left out count for nothing. */
  add(result: CheckResult, requests = 0): boolean {
    this.requests = Math.max(this.requests, requests);
    const stage = this.#stages.get(result.id);
    if (stage === undefined) return false;
    this.done++;
    this.stage = stage;
    if (!isFailing(result, this.#strict)) return false;
    this.failing++;
    this.last = result;
    return true;
  }
}

/** One line, drawn over and over: how many checks are done, the stage, failures, and the last of them. */
export function liveProgress(options: ProgressOptions): Progress {
  const tally = new Tally(options);
  const colors = picocolors.createColors(options.color);
  const clear = "\r\u001b[2K";
  let drawn = 0;
  const draw = () => {
    const counts = `${tally.done}/${tally.total} checks`;
    const failing = tally.failing === 0 ? "" : ` · ${tally.failing} failing`;
    const last =
      tally.last === undefined ? "" : ` · ${tally.last.operation} ${tally.last.requirements[0] ?? ""}`;
    const requests = tally.requests === 0 ? "" : ` · ${count(tally.requests, "request")}`;
    const stage = tally.stage === "" ? "" : ` · ${tally.stage}`;
    const plain = `${counts}${requests}${stage}${failing}${last}`;
    const text = shown(plain, 500).slice(0, Math.max(20, options.columns() - 1));
    const at = text.indexOf(failing);
    const painted =
      failing === "" || at < 0
        ? text
        : `${text.slice(0, at)}${colors.red(failing)}${text.slice(at + failing.length)}`;
    options.write(`${clear}${painted}`);
  };
  return {
    result: (result, requests) => {
      tally.add(result, requests);
      const now = performance.now();
      if (now - drawn < REDRAW && tally.done < tally.total) return;
      drawn = now;
      draw();
    },
    say: (line) => {
      options.write(`${clear}${shown(line, 500)}\n`);
      draw();
    },
    end: () => options.write(clear),
  };
}

/** A line every tenth of the way, and one for each of the first failures. */
export function plainProgress(options: ProgressOptions): Progress {
  const tally = new Tally(options);
  let tenth = 0;
  return {
    result: (result, requests) => {
      const failing = tally.add(result, requests);
      if (failing && tally.failing <= MAX_TOLD) {
        const message = shown(result.message ?? result.title, 300);
        options.write(`${result.outcome.toUpperCase()} ${shown(result.id, 200)}: ${message}\n`);
        if (tally.failing === MAX_TOLD) options.write("... further failures are in the summary\n");
      }
      const reached = Math.floor((10 * tally.done) / Math.max(1, tally.total));
      if (reached > tenth) {
        tenth = reached;
        const requests = tally.requests === 0 ? "" : `, ${count(tally.requests, "request")}`;
        options.write(`${tally.done} of ${tally.total} checks done${requests}, ${tally.failing} failing\n`);
      }
    },
    say: (line) => options.write(`${shown(line, 500)}\n`),
    end: () => {},
  };
}
