import type { CheckResult } from "../reports/report.ts";

export interface RunState {
  /** Sent so far, and the estimated total. */
  requests: number;
  plannedRequests: number;
  created: number;
  toConfirm: number;
  /** Milliseconds of a pause that the service asked for; 0 for none. */
  waiting: number;
}

export interface Progress {
  /** Called before the first result. `state` returns the progress. */
  watch(state: () => RunState): void;
  /** `requests` is the number sent so far. */
  result(result: CheckResult, requests?: number): void;
  /** Prints a line that stays. */
  say(line: string): void;
  end(): void;
}

export const SILENT: Progress = { watch: () => {}, result: () => {}, say: () => {}, end: () => {} };
