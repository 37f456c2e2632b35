/**
 * The suite as a library: what the command does, for programs that would rather call a function. Nothing is printed,
 * and nothing but what `out` asks for is written.
 */

import type { CheckResult, Report } from "../reports/report.ts";
import { confirmSuspects } from "../runner/confirm.ts";
import type { PlannedCheck } from "../runner/plan.ts";
import { SILENT } from "../runner/progress.ts";
import { runToReport } from "../runner/run.ts";
import { Session } from "../runner/session.ts";
import { UsageError } from "../spec/usage-error.ts";
import { BadValue } from "./options/kinds.ts";
import { OPTION_NAMES, type OptionName, type OptionValues, optionOf } from "./options/options.ts";
import { resolveValues } from "./options/resolve.ts";
import { prepareRun } from "./prepare.ts";
import { openFolder, setAside, writeReports } from "./write-reports.ts";

export { type CertificateVerification, verifyCertificate } from "../reports/certificate-verification.ts";
export { compareReports } from "../reports/compare.ts";
export { mergeReports } from "../reports/merge.ts";
export type { CheckResult, Report } from "../reports/report.ts";
export { validateReport } from "../reports/validate.ts";
export { UsageError } from "../spec/usage-error.ts";

/**
 * The options of a run under the names that the configuration file has (`baseUrl`, `secondSpace`, …). Without
 * `baseUrl` the run is against the embedded reference service; where CI is set, only with `embedded`.
 */
export interface ConformanceOptions extends Omit<OptionValues, "reporter"> {
  /** Sees each result as it comes, and how many requests had been sent by then. */
  onResult?: (result: CheckResult, requests: number) => void;
  /** Ends the run early; the report is then partial. */
  signal?: AbortSignal;
  /** Whether the environment's variables and payments-conformance.yaml fill in what is not given; they do not when left out. */
  inherit?: boolean;
}

/**
 * Runs the suite and gives its report; with `out`, the reports are also written into that folder. Throws UsageError
 * where an option is wrong, before anything is sent.
 */
export async function runConformance(options: ConformanceOptions = {}): Promise<Report> {
  const { onResult, signal, ...given } = options;
  const values = optionsFrom(given);
  if (options.out !== undefined) openFolder(options.out);
  const preparation = await prepareRun(values);
  if (options.out !== undefined) setAside(options.out);
  const progress = { ...SILENT, ...(onResult ? { result: onResult } : {}) };
  const { report } = await runToReport(preparation, progress, signal);
  if (options.out !== undefined) writeReports(report, options.out, options.export);
  return report;
}

/** One check of the suite, to bind into a test of one's own. */
export interface ConformanceCheck {
  id: string;
  /** A sentence: what is tried. */
  title: string;
  requirements: string[];
  /** `METHOD path` as section 4 of the specification writes it. */
  operation: string;
  /** Checks of one stage may run at the same time; stages follow each other in the order in which they are given. */
  stage: string;
  /** Tries it, confirms what it suspects, and gives the result. Rejects when the target can't be judged at all. */
  run(): Promise<CheckResult>;
}

export interface ConformanceChecks {
  checks: ConformanceCheck[];
  /** Leaves what was created as harmless as can be, and closes all connections. */
  close(): Promise<void>;
}

/**
 * The checks that `options` select, for a test runner of one's own. Nothing is sent before the first one runs. Throws
 * UsageError where an option is wrong.
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
    if (session.isSuspect(result.id)) {
      await confirmSuspects([{ check: member.check, result }], {
        again: (check) => session.again(check),
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

/** True unless `only`, `skip`, `serviceVersion`, `within`, `preset` or `shard` leaves the check out. */
function isSelected({ skip }: PlannedCheck): boolean {
  return skip === undefined || !["not-selected", "left-out", "shard"].includes(skip.reason);
}

/** Options as given by a program, checked as those of the configuration file are. Throws UsageError. */
function optionsFrom({
  inherit = false,
  ...given
}: Omit<ConformanceOptions, "onResult" | "signal">): OptionValues {
  const known = new Map<OptionName, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const option = OPTION_NAMES.find((each) => each === name);
    if (option === undefined) throw new UsageError(`there is no option ${name}`);
    known.set(option, checked(option, value, given.spec !== undefined));
  }
  return resolveValues({
    flags: {},
    // Whether CI runs this is a fact, and no option.
    environment: inherit ? process.env : { CI: process.env.CI },
    cwd: process.cwd(),
    recorded: known,
    ...(inherit ? {} : { settled: new Set(OPTION_NAMES) }),
  });
}

function checked(name: OptionName, value: unknown, edition: boolean): unknown {
  try {
    // A shard is a pair in code and a fraction in a file.
    if (name === "shard" && typeof value === "object") return value;
    return optionOf(name).kind.fromFile(value, edition);
  } catch (error) {
    if (error instanceof BadValue) throw new UsageError(`${name} ${error.message}`);
    throw error;
  }
}
