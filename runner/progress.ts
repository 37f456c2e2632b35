/** Progress of a run. */

import type { CheckResult } from "../reports/report.ts";

/** Progress beyond the checks. */
export interface RunState {
  /** Requests sent, and an estimate of all. */
  requests: number;
  plannedRequests: number;
  created: number;
  /** Suspects that are not confirmed yet. */
  toConfirm: number;
  /** Milliseconds for which the service asked for a pause; 0 for none. */
  waiting: number;
}

export interface Progress {
  /** Takes a function that returns the progress, before the first result. */
  watch(state: () => RunState): void;
  /** Takes a result, with the number of requests sent so far. */
  result(result: CheckResult, requests?: number): void;
  /** Prints a line that stays. */
  say(line: string): void;
  /** Removes temporary output. */
  end(): void;
}

export const SILENT: Progress = { watch: () => {}, result: () => {}, say: () => {}, end: () => {} };
