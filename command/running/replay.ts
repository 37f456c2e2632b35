import { isFailing, isFault, isStrict, REASON_TEXT } from "../../reports/outcome.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import { shown } from "../../reports/text.ts";
import { runToReport, SILENT } from "../../runner/run.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type Flags, isGiven, REPLAY_OPTIONS, SELECTING, valuesFrom } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { withThoseThatAsked } from "../listing/asked-by.ts";
import { OPTION_NAMES, type OptionName, type OptionValues } from "../options/options.ts";
import { complain, print } from "../output.ts";
import { readReport } from "../reports/read-report.ts";
import { recordedFindings } from "../reports/recorded-findings.ts";
import { EXIT } from "./exit-codes.ts";
import { prepareRun } from "./prepare.ts";
import { recordedValues } from "./recorded-values.ts";
import { openFolder, setAside, writeReports } from "./write-reports.ts";

export const OF_THE_TARGET: readonly OptionName[] = [
  "baseUrl",
  "token",
  "space",
  "secondSpace",
  "secondToken",
  "callbackUrl",
  "callbackPort",
];

/** Returns 1 if a failure still shows, 3 if that can't be decided. */
export async function replayCommand(file: string, id: string | undefined, flags: Flags): Promise<number> {
  const report = readReport(file);
  const again = checksToReplay(report, id);
  if (again.length === 0) {
    const isCovered = report.checks.some((check) => isFault(check, isStrict(report)));
    const hint = isCovered
      ? "but for what waivers or a baseline cover; name a check to run it again"
      : "so there is nothing to run again";
    print(`Nothing fails in ${file}, ${hint}.\n`);
    return EXIT.ok;
  }
  const values = replayValues(report, flags, again);
  // The default folder may hold the replayed report.
  const out = isGiven(flags, "out") ? values.out : undefined;
  if (out !== undefined) openFolder(out);
  const preparation = await prepareRun(values);
  if (out !== undefined) setAside(out);
  const replayed = recordedFindings(file, again, preparation.spec);
  const { report: now, interrupted } = await runToReport(
    { ...preparation, replayed },
    SILENT,
    interruption(() => undefined),
  );
  const written = out === undefined ? undefined : writeReports(now, out);
  if (written?.misplaced !== undefined) complain(`payments-conformance: ${written.misplaced}`);
  if (now.problem !== undefined) print(`${shown(now.problem, 500)}\n`);
  const fates = again.map((before) => printFate(before, now));
  if (interrupted) return EXIT.interrupted;
  if (fates.includes("there")) return EXIT.fails;
  return fates.includes("unknown") ? EXIT.notJudged : EXIT.ok;
}

/**
 * Returns the check with this id, or all failing ones without an id.
 * @throws UsageError if the report has none.
 */
function checksToReplay(report: Report, id: string | undefined): CheckResult[] {
  if (id === undefined) return report.checks.filter((check) => isFailing(check, isStrict(report)));
  const found = report.checks.find((check) => check.id === id);
  if (found === undefined) {
    const known = report.checks.map((check) => check.id);
    throw new UsageError(`the report has no check ${id}${didYouMean(id, known)}`);
  }
  return [found];
}

/** Returns the options of the earlier run, changed by the given flags and by the checks to run. */
function replayValues(report: Report, flags: Flags, again: readonly CheckResult[]): OptionValues {
  const embedded = report.target.embedded && !isGiven(flags, "baseUrl");
  const settled = new Set<OptionName>([...SELECTING, ...(embedded ? OF_THE_TARGET : [])]);
  const recorded = recordedValues(
    report,
    OPTION_NAMES.filter((name) => !settled.has(name) && REPLAY_OPTIONS.includes(name)),
    embedded,
  );
  const others = new Map([...recorded].filter(([name]) => name !== "baseUrl"));
  const own = valuesFrom(flags, { recorded: others, settled, sendsNothing: true });
  if (!embedded && !isGiven(flags, "baseUrl")) refuseOtherAddress(report, own);
  return { ...valuesFrom(flags, { recorded, settled }), only: withThoseThatAsked(again) };
}

/**
 * Checks that the settings name the service of the report. Somebody else's report must not get the token that
 * is meant for another service.
 */
function refuseOtherAddress({ target }: Report, { baseUrl }: OptionValues): void {
  if (baseUrl === undefined || baseUrl === target.baseUrl) return;
  throw new UsageError(
    `the report is of ${shown(target.baseUrl, 300)}, and your settings name ${baseUrl}: say with --base-url which of them to ask`,
  );
}

type Fate = "there" | "gone" | "unknown";

/** Prints whether the check still fails, and returns that. */
function printFate(before: CheckResult, now: Report): Fate {
  const after = now.checks.find((check) => check.id === before.id);
  const id = shown(before.id, 200);
  if (after === undefined || after.outcome === "skip") {
    const why = after?.reason === undefined ? "there is no such check any more" : REASON_TEXT[after.reason];
    print(
      `not told     ${id}\n             ${why}${after?.message ? `: ${shown(after.message, 400)}` : ""}\n`,
    );
    return "unknown";
  }
  if (after.outcome === "fail" || after.outcome === "warn") {
    print(`still there  ${id}\n             ${shown(after.message ?? after.title, 600)}\n`);
    return "there";
  }
  if (after.outcome === "unsteady") {
    print(`unsteady     ${id}\n             ${shown(after.message ?? after.title, 600)}\n`);
    return "unknown";
  }
  print(`${isFault(before, true) || before.outcome === "unsteady" ? "gone " : "holds"}        ${id}\n`);
  return "gone";
}
