import type { CheckResult } from "../reports/report.ts";

export interface RunState {
  requests: number;
  plannedRequests: number;
  created: number;
  toConfirm: number;
  waiting: number;
}

export interface Progress {
  watch(state: () => RunState): void;
  result(result: CheckResult, requests?: number): void;
  say(line: string): void;
  end(): void;
}

export const SILENT: Progress = { watch: () => {}, result: () => {}, say: () => {}, end: () => {} };
