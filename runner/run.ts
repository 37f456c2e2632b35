import type { CheckResult, Report } from "../reports/report.ts";
import { definedOnly } from "../spec/defined-only.ts";
import type { CheckFacts } from "../spec/model/check.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import type { SpecificationText } from "../spec/specification-text.ts";
import type { RecordedFinding } from "./confirming/shortening.ts";
import type { Onlookers } from "./connection.ts";
import { runLoop } from "./loop.ts";
import { CONFIRMATION_REQUESTS, estimate } from "./planning/estimate.ts";
import type { PlannedCheck } from "./planning/plan.ts";
import type { Recorded } from "./recorded.ts";
import { assembleReport } from "./reporting/assemble.ts";
import type { Baseline } from "./reporting/baseline.ts";
import type { Waiver } from "./reporting/waivers.ts";
import { Session } from "./session.ts";

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

export interface PreparedRun {
  spec: Spec;
  settings: Settings;
  planned: PlannedCheck[];
  untried: CheckFacts[];
  rulesOff: readonly string[];
  options: Record<string, unknown>;
  waivers: Waiver[];
  specification?: SpecificationText;
  baseline?: Baseline;
  replayed?: ReadonlyMap<string, RecordedFinding>;
  close(): Promise<void>;
}

export interface FinishedRun {
  report: Report;
  interrupted: boolean;
  suggestedProfile?: string;
}

export interface RunOnlookers extends Onlookers {
  ended?: (recorded: Recorded) => void;
}

/**
 * Runs the planned checks and returns the report.
 * @throws UsageError if the run can't start
 */
export async function runToReport(
  preparation: PreparedRun,
  progress: Progress,
  signal?: AbortSignal,
  onlookers: RunOnlookers = {},
): Promise<FinishedRun> {
  const { spec, settings, planned, options } = preparation;
  const startedAt = new Date();
  const begin = performance.now();
  try {
    const session = new Session(spec, settings, onlookers, preparation.replayed);
    const { requests } = estimate(planned, settings);
    let plannedRequests = requests;
    let toConfirm = 0;
    progress.watch(() => ({
      requests: session.requests,
      plannedRequests,
      toConfirm,
      created: session.created,
      waiting: session.waiting,
    }));
    const enough = new AbortController();
    const execution = await runLoop(session, planned, {
      failFast: options.failFast === true,
      onSuspected: (suspected, left) => {
        plannedRequests = requests + suspected * CONFIRMATION_REQUESTS;
        toConfirm = left;
      },
      onResult: (result, requests) => {
        progress.result(result, requests);
        if (options.failFast === true && result.outcome === "fail") enough.abort();
      },
      signal: AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]),
    });
    progress.end();
    onlookers.ended?.(session.recorded);
    const interrupted = signal?.aborted ?? false;
    const report = assembleReport({
      ...preparation,
      execution,
      startedAt,
      durationMs: performance.now() - begin,
      interrupted: interrupted || enough.signal.aborted,
    });
    return {
      report,
      interrupted,
      ...definedOnly({ suggestedProfile: execution.summary?.suggestedProfile }),
    };
  } finally {
    await preparation.close();
  }
}
