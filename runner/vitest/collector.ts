import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import type { CheckResult } from "../../reports/report.ts";
import type { Summary } from "./protocol.ts";

/** What came back from the worker. */
export interface Execution {
  results: CheckResult[];
  /** Why the target cannot be judged. */
  problem?: string;
  /** Absent when the worker did not get to its end. */
  summary?: Summary;
  /** What went wrong in the suite itself, as sentences. */
  faults: string[];
}

/** Sees each result as it comes, and how many requests had been sent by then. */
export type OnResult = (result: CheckResult, requests: number) => void;

/** The one vitest reporter of a run: takes the results out of the tasks' meta and hands them on as they come. */
export class Collector implements Reporter {
  readonly execution: Execution = { results: [], faults: [] };
  readonly #onResult: OnResult;
  readonly #onStart: (vitest: Vitest) => void;

  constructor(onResult: OnResult, onStart: (vitest: Vitest) => void = () => {}) {
    this.#onResult = onResult;
    this.#onStart = onStart;
  }

  onInit(vitest: Vitest): void {
    this.#onStart(vitest);
  }

  onTestCaseResult(testCase: TestCase): void {
    const message = testCase.meta().conformance;
    if (message?.kind === "result") {
      this.execution.results.push(message.result);
      this.#onResult(message.result, message.requests);
    } else if (message?.kind === "problem") {
      this.execution.problem = message.problem;
    } else if (message?.kind === "summary") {
      this.execution.summary = message.summary;
    } else if (testCase.result().state === "failed") {
      for (const error of testCase.result().errors ?? []) {
        this.execution.faults.push(`${testCase.name}: ${error.message}`);
      }
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const error of [...modules.flatMap((module) => module.errors()), ...errors]) {
      this.execution.faults.push(error.message);
    }
  }
}
