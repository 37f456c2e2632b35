/** With this file, `vitest run --config` does the same as `run`. */

import type { ViteUserConfig } from "vitest/config";
import type { TestModule, TestRunEndReason } from "vitest/node";
import { refuseCertified } from "../../command/certificates/folder.ts";
import { resolveValues } from "../../command/options/resolve.ts";
import { exitCodeOf } from "../../command/running/exit-codes.ts";
import { type PreparedFromOptions, prepareRun } from "../../command/running/prepare.ts";
import { reportsLine } from "../../command/running/present.ts";
import { setAside, writeReports } from "../../command/running/write-reports.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import { assembleReport } from "../reporting/assemble.ts";
import { Collector } from "./collector.ts";
import { vitestOptions } from "./inline-config.ts";

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

/** Returns the Vitest configuration of a run with the options of the environment and the configuration file. */
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
