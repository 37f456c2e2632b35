/** What a run tells while it goes on. */

import type { CheckResult } from "../reports/report.ts";

/** How far a run is, beyond its checks. */
export interface RunState {
  /** Requests sent, and about how many there will be. */
  requests: number;
  plannedRequests: number;
  created: number;
  /** Suspects that are not confirmed yet. */
  toConfirm: number;
  /** Milliseconds for which the service asked not to be asked; 0 if it did not. */
  waiting: number;
}

export interface Progress {
  /** Is told where to ask how far the run is, before the first result. */
  watch(state: () => RunState): void;
  /** Takes in a result, and how many requests had been sent by then. */
  result(result: CheckResult, requests?: number): void;
  /** Says something that stays. */
  say(line: string): void;
  /** Removes what was only for the time of the run. */
  end(): void;
}

/** Nothing is shown. */
export const SILENT: Progress = { watch: () => {}, result: () => {}, say: () => {}, end: () => {} };
