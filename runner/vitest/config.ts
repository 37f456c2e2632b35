/** With this file, `vitest run --config` does the same as `run`. */

import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import type { InlineConfig, Reporter, TestCase, TestModule, TestRunEndReason } from "vitest/node";
import { refuseCertified } from "../../command/certificates/folder.ts";
import { resolveValues } from "../../command/options/resolve.ts";
import { exitCodeOf } from "../../command/running/exit-codes.ts";
import { type PreparedFromOptions, prepareRun } from "../../command/running/prepare.ts";
import { reportsLine } from "../../command/running/present.ts";
import { setAside, writeReports } from "../../command/running/write-reports.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { SpecFile } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Execution } from "../loop.ts";
import { packageRoot } from "../package-root.ts";
import { assembleReport } from "../reporting/assemble.ts";

export interface RunInput {
  openapi: SpecFile;
  requirements: SpecFile;
  settings: Settings;
  strict: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    conformance: RunInput;
  }
  interface TaskMeta {
    conformance?: CheckResult;
    conformanceRun?: Omit<Execution, "results">;
  }
}

const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";
const HERE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Returns the options with which Vitest runs the suite. One worker is used, so that rate limit and budget
 * exist once. Retries would hide defects.
 */
export function vitestOptions(input: RunInput): InlineConfig {
  const root = packageRoot();
  return {
    root,
    include: [
      relative(root, join(HERE, `conformance.test.${EXTENSION}`))
        .split(sep)
        .join("/"),
    ],
    exclude: [],
    provide: { conformance: input },
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    maxConcurrency: 100_000,
    sequence: { concurrent: false, shuffle: false },
    retry: 0,
    bail: 0,
    testTimeout: 0,
    hookTimeout: 0,
    watch: false,
    // No cache, because the package's folder may be read-only.
    cache: false,
    server: { deps: { external: [/\/dist\//, /\/node_modules\//] } },
  };
}

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

class ReportWriter extends Collector {
  readonly #startedAt = new Date();

  constructor(
    private readonly preparation: PreparedFromOptions,
    private readonly out: string,
  ) {
    super();
  }

  onTestRunStart(): void {
    setAside(this.out);
  }

  override async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly { message: string }[],
    reason?: TestRunEndReason,
  ): Promise<void> {
    super.onTestRunEnd(modules, errors);
    await this.preparation.close();
    const interrupted = reason === "interrupted";
    const report = assembleReport({
      ...this.preparation,
      execution: this.execution,
      startedAt: this.#startedAt,
      durationMs: Date.now() - this.#startedAt.getTime(),
      interrupted,
    });
    const { files } = writeReports(report, this.out);
    process.stdout.write(renderTerminal(report, { color: false, style: "plain" }));
    process.stdout.write(`${reportsLine(files)}\n`);
    const code = exitCodeOf(report, interrupted);
    if (code !== 0) process.exitCode = code;
  }
}

async function conformanceConfig(): Promise<ViteUserConfig> {
  const values = resolveValues({ flags: {}, environment: process.env, cwd: process.cwd() });
  const out = values.out ?? "conformance-report";
  refuseCertified(out);
  const preparation = await prepareRun(values);
  const writer = new ReportWriter(preparation, out);
  const { root, ...test } = vitestOptions({
    ...preparation.files,
    settings: preparation.settings,
    strict: values.strict ?? false,
  });
  return { ...(root === undefined ? {} : { root }), test: { ...test, reporters: ["default", writer] } };
}

export default conformanceConfig;
