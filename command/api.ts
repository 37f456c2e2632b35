/** The suite as a library. It prints nothing, and writes only into `out`. */

import type { CheckResult, Report } from "../reports/report.ts";
import { confirmSuspected } from "../runner/confirming/confirm.ts";
import type { PlannedCheck } from "../runner/planning/plan.ts";
import { runToReport, SILENT } from "../runner/run.ts";
import { Session } from "../runner/session.ts";
import { UsageError } from "../spec/usage-error.ts";
import { BadValue } from "./options/kinds.ts";
import { OPTION_NAMES, type OptionName, type OptionValues, optionOf } from "./options/options.ts";
import { resolveValues } from "./options/resolve.ts";
import { unlockFolder } from "./running/folder-lock.ts";
import { prepareRun } from "./running/prepare.ts";
import { openFolder, setAside, writeReports } from "./running/write-reports.ts";

export {
  type AttestationsVerification,
  verifyAttestations,
} from "../reports/certificates/attestations-verification.ts";
export {
  type CertificateVerification,
  verifyCertificate,
} from "../reports/certificates/certificate-verification.ts";
export { compareReports } from "../reports/comparing/compare.ts";
export { mergeReports } from "../reports/comparing/merge.ts";
export type { CheckResult, Report } from "../reports/report.ts";
export { validateReport } from "../reports/validate.ts";
export { UsageError } from "../spec/usage-error.ts";

/** Without `baseUrl`, tests the embedded reference service. If CI is set, only with `embedded: true`. */
export interface ConformanceOptions extends Omit<OptionValues, "reporter"> {
  onResult?: (result: CheckResult, requests: number) => void;
  signal?: AbortSignal;
  /** True to read environment variables and payments-conformance.yaml, too. */
  inherit?: boolean;
}

/**
 * Returns the report, and writes it into the folder `out`.
 * @throws UsageError if an option is wrong
 */
export async function runConformance(options: ConformanceOptions = {}): Promise<Report> {
  const { onResult, signal, ...given } = options;
  const values = optionsFrom(given);
  const { out } = options;
  const run = async (): Promise<Report> => {
    const preparation = await prepareRun(values);
    if (out !== undefined) setAside(out);
    const progress = { ...SILENT, ...(onResult ? { result: onResult } : {}) };
    return (await runToReport(preparation, progress, signal)).report;
  };
  if (out === undefined) return run();
  openFolder(out);
  try {
    const report = await run();
    writeReports(report, out, options.export);
    return report;
  } finally {
    unlockFolder(out);
  }
}

export interface ConformanceCheck {
  id: string;
  title: string;
  requirements: string[];
  operation: string;
  /** Stages must run in the order of `checks`. Checks of one stage may run concurrently. */
  stage: string;
  /** Rejects if the target can't be judged. */
  run(): Promise<CheckResult>;
}

export interface ConformanceChecks {
  checks: ConformanceCheck[];
  close(): Promise<void>;
}

/**
 * Returns checks to run. Nothing is sent before.
 * @throws UsageError if an option is wrong
 */
export async function conformanceChecks(options: ConformanceOptions = {}): Promise<ConformanceChecks> {
  const { onResult, signal, ...given } = options;
  const preparation = await prepareRun(optionsFrom(given));
  const session = new Session(preparation.spec, preparation.settings);
  signal?.addEventListener("abort", () => session.interrupt());
  let preflight: Promise<string | null> | undefined;
  const run = async (member: (typeof preparation.planned)[number]): Promise<CheckResult> => {
    preflight ??= session.preflight();
    const problem = await preflight;
    if (problem !== null) throw new Error(problem);
    let result = await session.run(member);
    if (session.isSuspected(result.id)) {
      await confirmSuspected([{ check: member.check, result }], {
        tryAgain: (check) => session.tryAgain(check),
        tell: (confirmed) => {
          result = confirmed;
        },
      });
    }
    onResult?.(result, session.requests);
    return result;
  };
  return {
    checks: preparation.planned.filter(isSelected).map((member) => {
      const { id, title, requirements, operation, stage } = member.check;
      return { id, title, requirements, operation, stage, run: () => run(member) };
    }),
    close: async () => {
      await session.close();
      await preparation.close();
    },
  };
}

function isSelected({ skip }: PlannedCheck): boolean {
  return skip === undefined || !["not-selected", "left-out", "shard"].includes(skip.reason);
}

function optionsFrom({
  inherit = false,
  ...given
}: Omit<ConformanceOptions, "onResult" | "signal">): OptionValues {
  const known = new Map<OptionName, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const option = OPTION_NAMES.find((each) => each === name);
    if (option === undefined) throw new UsageError(`there is no option ${name}`);
    known.set(option, checkedOption(option, value, given.spec !== undefined));
  }
  return resolveValues({
    flags: {},
    // `CI` is read in any case, because a CI job that forgot `baseUrl` must not pass.
    environment: inherit ? process.env : { CI: process.env.CI },
    cwd: process.cwd(),
    recorded: known,
    ...(inherit ? {} : { settled: new Set(OPTION_NAMES) }),
  });
}

/**
 * Returns the value of the option.
 * @throws UsageError if it is not valid.
 */
function checkedOption(name: OptionName, value: unknown, edition: boolean): unknown {
  try {
    if (name === "shard" && typeof value === "object") return value;
    return optionOf(name).kind.fromFile(value, edition);
  } catch (error) {
    if (error instanceof BadValue) throw new UsageError(`${name} ${error.message}`);
    throw error;
  }
}
