import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Execution } from "../loop.ts";

export class Collector implements Reporter {
  readonly execution: Execution = { results: [], faults: [] };

  onTestCaseResult(testCase: TestCase): void {
    const { conformance } = testCase.meta();
    if (conformance) this.execution.results.push(conformance);
    else if (testCase.result().state === "failed") {
      for (const error of testCase.result().errors ?? [])
        this.execution.faults.push(`${testCase.name}: ${error.message}`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const module of modules) {
      const { faults = [], ...run } = module.meta().conformanceRun ?? {};
      Object.assign(this.execution, run);
      this.execution.faults.push(...faults);
    }
    for (const error of [...modules.flatMap((module) => module.errors()), ...errors])
      this.execution.faults.push(error.message);
  }
}
