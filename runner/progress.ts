import type { CheckResult } from "../reports/report.ts";

/** The progress of a run, apart from the results of checks. */
export interface RunState {
  /** Requests sent so far, and the estimated total. */
  requests: number;
  plannedRequests: number;
  created: number;
  toConfirm: number;
  /** Milliseconds of a pause that the service asked for; 0 for none. */
  waiting: number;
}

export interface Progress {
  /** Called before the first result with a function that returns the progress. */
  watch(state: () => RunState): void;
  /** Called with each result, and the number of requests sent so far. */
  result(result: CheckResult, requests?: number): void;
  /** Prints a line that stays. */
  say(line: string): void;
  end(): void;
}

export const SILENT: Progress = { watch: () => {}, result: () => {}, say: () => {}, end: () => {} };
