import { dirname, join } from "node:path";
import { notOfferedIn } from "../../reports/certificates/attested.ts";
import type { Report, RequirementResult } from "../../reports/report.ts";
import { count } from "../../reports/text.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type Flags, isGiven, SELECTING, valuesFrom } from "../flags.ts";
import { OPTION_NAMES, type OptionName } from "../options/options.ts";
import { readReport } from "../reports/read-report.ts";
import { recordedValues } from "../running/recorded-values.ts";
import { OF_THE_TARGET } from "../running/replay.ts";
import { type Issue, issueFrom, refuseSelection, runAndCertify } from "./certify.ts";
import { CERTIFICATE_FILE } from "./folder.ts";
import { judgeFile } from "./verify.ts";

const OF_THE_RUN: readonly OptionName[] = ["seed", "labels", "out", ...SELECTING];
const DAY_MS = 86_400_000;

/**
 * Makes a new certificate in place of an old one, and returns the exit code. An expired certificate can be
 * renewed, but not a changed one.
 */
export async function renewCommand(file: string, flags: Flags): Promise<number> {
  const out = dirname(file);
  if (isGiven(flags, "out"))
    throw new UsageError("renew takes no --out: it renews a certificate in its folder");
  const judged = judgeFile(join(out, CERTIFICATE_FILE), { publicKeys: [] });
  const statement = judged.certificate?.statement;
  if (!judged.genuine || statement === undefined) {
    const why = judged.findings.find(({ genuine }) => !genuine)?.message ?? "it can't be read";
    throw new UsageError(`${file} is not as it was signed: ${why}; certify makes another one`);
  }
  const old = readReport(join(out, "report.json"));
  const embedded = old.target.embedded && !isGiven(flags, "baseUrl");
  const settled = new Set(embedded ? OF_THE_TARGET : []);
  const own: readonly OptionName[] = [...OF_THE_RUN, ...(embedded ? (["fixtures"] as const) : [])];
  const names = OPTION_NAMES.filter((name) => !own.includes(name) && !settled.has(name));
  const values = valuesFrom(flags, { recorded: recordedValues(old, names, embedded), settled });
  refuseSelection(values);
  const issue = issueFrom(flags);
  const { subject, validUntil = statement.issuedAt } = statement;
  const days = Math.round((Date.parse(validUntil) - Date.parse(statement.issuedAt)) / DAY_MS);
  const asBefore: Issue = {
    ...(typeof subject === "string" ? { subject } : {}),
    ...(days >= 1 ? { validDays: days } : {}),
    ...issue,
  };
  return runAndCertify(values, asBefore, { out, renews: true, worse: (report) => worseThan(old, report) });
}

/** Says in which requirement or operation the new run proves less, or returns `undefined`. */
export function worseThan(
  old: Pick<Report, "requirements" | "operations">,
  now: Pick<Report, "requirements" | "operations">,
): string | undefined {
  const news = new Map(now.requirements.map((requirement) => [requirement.id, requirement]));
  const missing = new Set(notOfferedIn(old));
  const worse = [
    ...old.requirements
      .filter((requirement) => rankOfOutcome(requirement) > rankOfOutcome(news.get(requirement.id)))
      .map(({ id }) => id),
    ...notOfferedIn(now).filter((operation) => !missing.has(operation)),
  ];
  if (worse.length === 0) return undefined;
  const names = worse.slice(0, 5).join(", ");
  const more = worse.length > 5 ? ` and ${count(worse.length - 5, "other")}` : "";
  return `the run is worse than the certificate that it is to renew, in ${names}${more}`;
}

function rankOfOutcome(requirement: RequirementResult | undefined): number {
  if (requirement === undefined || requirement.level === "NOTE") return 0;
  return { pass: 3, warn: 2, fail: 1, note: 0, unsteady: 0, skip: 0 }[requirement.outcome];
}
