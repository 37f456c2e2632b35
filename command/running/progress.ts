import picocolors from "picocolors";
import { isFailing } from "../../reports/outcome.ts";
import type { CheckResult } from "../../reports/report.ts";
import { count, duration, number, shown } from "../../reports/text.ts";
import type { PlannedCheck } from "../../runner/planning/plan.ts";
import type { Progress, RunState } from "../../runner/run.ts";

export interface ProgressOptions {
  planned: readonly PlannedCheck[];
  strict: boolean;
  write: (text: string) => void;
  columns: () => number;
  color: boolean;
}

const REDRAW_MS = 100;
const IDLE_REDRAW_MS = 1_000;
const MAX_PRINTED = 20;

class ProgressCounts {
  readonly #done = new Set<string>();
  failing = 0;
  requests = 0;
  stage = "";
  last: CheckResult | undefined;
  state: (() => RunState) | undefined;
  readonly #begun = performance.now();
  readonly total: number;
  readonly #stages: Map<string, string>;
  readonly #strict: boolean;

  constructor(options: ProgressOptions) {
    // Skipped checks end at once, which would distort the progress.
    this.#stages = new Map(
      options.planned.filter(({ skip }) => skip === undefined).map(({ check }) => [check.id, check.stage]),
    );
    this.total = this.#stages.size;
    this.#strict = options.strict;
  }

  get done(): number {
    return this.#done.size;
  }

  get facts(): string[] {
    const state = this.state?.();
    const requests = Math.max(this.requests, state?.requests ?? 0);
    if (requests === 0) return [];
    if (state === undefined) return [count(requests, "request")];
    const planned = state.plannedRequests;
    const gone = performance.now() - this.#begun;
    const left = (gone / requests) * (planned - requests);
    const percent = Math.floor((100 * requests) / planned);
    return [
      // The planned number is an estimate, so it says nothing once it is reached.
      left > 0
        ? `${number(requests)} of about ${number(planned)} requests (${percent} %)`
        : count(requests, "request"),
      ...(state.toConfirm > 0 ? [`${number(state.toConfirm)} to confirm`] : []),
      `${number(state.created)} created`,
      left > 0 ? `${duration(gone)}, about ${duration(left)} left` : duration(gone),
    ];
  }

  /** The part of the run that is over, from 0 to 1. Many checks end together, after all requests are sent. */
  get share(): number {
    const { requests = 0, plannedRequests = 1 } = this.state?.() ?? {};
    return Math.max(
      this.done / Math.max(1, this.total),
      Math.min(requests / Math.max(1, plannedRequests), 0.99),
    );
  }

  get waiting(): { milliseconds: number; words: string } | undefined {
    const milliseconds = this.state?.().waiting ?? 0;
    if (milliseconds === 0) return undefined;
    return {
      milliseconds,
      words: `waiting ${Math.ceil(milliseconds / 1000)} s, as the service asked (Retry-After)`,
    };
  }

  add(result: CheckResult, requests = 0): boolean {
    this.requests = Math.max(this.requests, requests);
    const stage = this.#stages.get(result.id);
    if (stage === undefined) return false;
    this.#done.add(result.id);
    this.stage = stage;
    if (!isFailing(result, this.#strict)) return false;
    this.failing++;
    this.last = result;
    return true;
  }
}

/** Shows the progress in one line that is drawn again and again. It needs a terminal. */
export function liveProgress(options: ProgressOptions): Progress {
  const counts = new ProgressCounts(options);
  const colors = picocolors.createColors(options.color);
  const clear = "\r\u001b[2K";
  let drawn = 0;
  const draw = () => {
    const done = `${counts.done}/${counts.total} checks`;
    const failing = counts.failing === 0 ? "" : ` · ${counts.failing} failing`;
    const last =
      counts.last === undefined ? "" : ` · ${counts.last.operation} ${counts.last.requirements[0] ?? ""}`;
    // The least important part is last, because a narrow window cuts it off.
    const [requests = "", ...facts] = counts.facts.map((fact) => ` · ${fact}`);
    const stage = counts.stage === "" ? "" : ` · ${counts.stage}`;
    const waiting = counts.waiting === undefined ? "" : ` · ${counts.waiting.words}`;
    const plain = `${done}${waiting}${requests}${stage}${failing}${facts.join("")}${last}`;
    const text = shown(plain, 500).slice(0, Math.max(20, options.columns() - 1));
    const at = text.indexOf(failing);
    const painted =
      failing === "" || at < 0
        ? text
        : `${text.slice(0, at)}${colors.red(failing)}${text.slice(at + failing.length)}`;
    options.write(`${clear}${painted}`);
  };
  // Shows a wait for Retry-After even if no check ends.
  let timer: NodeJS.Timeout | undefined;
  return {
    watch: (state) => {
      counts.state = state;
      timer = setInterval(draw, IDLE_REDRAW_MS);
      timer.unref();
    },
    result: (result, requests) => {
      counts.add(result, requests);
      const now = performance.now();
      if (now - drawn < REDRAW_MS && counts.done < counts.total) return;
      drawn = now;
      draw();
    },
    say: (line) => {
      options.write(`${clear}${shown(line, 500)}\n`);
      draw();
    },
    end: () => {
      clearInterval(timer);
      options.write(clear);
    },
  };
}

const SHORTEST_SHOWN_WAIT_MS = 5_000;
const COUNTDOWN_STEP_MS = 15_000;

/** Prints failures at once, and a line at each tenth of the run. */
export function plainProgress(options: ProgressOptions): Progress {
  const counts = new ProgressCounts(options);
  let tenth = 0;
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  const printTenth = () => {
    const reached = Math.floor(10 * counts.share);
    if (reached <= tenth) return;
    tenth = reached;
    const facts = counts.facts.map((fact) => `, ${fact}`).join("");
    options.write(
      `${number(counts.done)} of ${number(counts.total)} checks done${facts}, ${counts.failing} failing\n`,
    );
  };
  const countDown = () => {
    const { waiting } = counts;
    if (waiting === undefined) next = Number.POSITIVE_INFINITY;
    else if (waiting.milliseconds >= SHORTEST_SHOWN_WAIT_MS && waiting.milliseconds <= next) {
      next = waiting.milliseconds - COUNTDOWN_STEP_MS;
      options.write(`${waiting.words}\n`);
    }
  };
  return {
    watch: (state) => {
      counts.state = state;
      timer = setInterval(() => {
        countDown();
        printTenth();
      }, IDLE_REDRAW_MS);
      timer.unref();
    },
    result: (result, requests) => {
      const failing = counts.add(result, requests);
      if (failing && counts.failing <= MAX_PRINTED) {
        const message = shown(result.message ?? result.title, 300);
        options.write(`${result.outcome.toUpperCase()} ${shown(result.id, 200)}: ${message}\n`);
        if (counts.failing === MAX_PRINTED) options.write("... further failures are in the summary\n");
      }
      printTenth();
    },
    say: (line) => options.write(`${shown(line, 500)}\n`),
    end: () => clearInterval(timer),
  };
}
