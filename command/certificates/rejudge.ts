import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../reports/certificates/keys.ts";
import { type CertificateFinding, goodFinding } from "../../reports/certificates/verification.ts";
import type { Report } from "../../reports/report.ts";
import { number, shown } from "../../reports/text.ts";
import { packageIdentity } from "../../runner/package-root.ts";
import { MOST_MEGABYTES, readBytes } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { judgeHistory } from "../judging/own-history.ts";
import { prepareJudging } from "../judging/prepare.ts";
import { openTraffic } from "../judging/traffic-file.ts";
import type { OptionValues } from "../options/options.ts";
import { readReport } from "../reports/read-report.ts";
import { HISTORY } from "../running/recordings.ts";

const MOST_NAMED = 5;

/**
 * Judges the history beside the report once more.
 * @throws UsageError if the run had another edition or profile
 */
export async function rejudgeBeside(
  certificate: string,
  { spec, profile }: Pick<OptionValues, "spec" | "profile">,
): Promise<CertificateFinding> {
  const folder = dirname(certificate);
  const [history, reported] = [HISTORY, "report.json"].map((name) => join(folder, name)) as [string, string];
  const absent = [history, reported].find((file) => !existsSync(file));
  if (absent !== undefined)
    return rejudgeFinding("missing", `${absent} is not there, so nothing can be judged again`);
  const report = readReport(reported);
  const { offers } = report.run.options;
  const values: OptionValues = {
    ...(spec === undefined ? {} : { spec }),
    ...(profile === undefined ? {} : { profile }),
    ...(Array.isArray(offers) ? { offers: offers.map(String) } : {}),
  };
  refuseOtherProfile(profile, report);
  const judging = prepareJudging(values);
  if (judging.spec.sha256 !== report.spec.sha256)
    throw new UsageError(
      `the run had another edition of the specification (${report.spec.sha256.slice(0, 12)}) than the one to judge by (${judging.spec.sha256.slice(0, 12)}): --spec names its folder`,
    );
  const notices: string[] = [];
  const file = await openTraffic(history, { notice: (sentence) => notices.push(sentence) });
  const { judged } = await judgeHistory(judging, [file], notices);
  const { compared = 0, differ = [] } = judged?.agreement ?? {};
  const { version } = packageIdentity();
  const other =
    report.suite.version === version
      ? ""
      : ` by ${version}, after a run of ${shown(report.suite.version, 40)}`;
  const share = `${number(compared)} of ${number(report.checks.length)} checks`;
  if (notices.length > 0)
    return rejudgeFinding("missing", `the history can't be judged whole: ${notices.join("; ")}`);
  if (compared === 0 || judged?.requirements.exercised === 0)
    return rejudgeFinding(
      "missing",
      "the history does not say when its checks were judged, so none can be judged again",
    );
  if (differ.length === 0)
    return goodFinding(
      "rejudge",
      `${share} could be judged again from the history${other}, each with the reported outcome`,
    );
  const named = differ
    .slice(0, MOST_NAMED)
    .map(({ check, run, judged: now }) => `${shown(check, 120)}: reported ${run}, judged ${now}`);
  const more = differ.length > named.length ? `, and ${number(differ.length - named.length)} more` : "";
  return rejudgeFinding(
    "contradicted",
    `${share} could be judged again${other}, ${number(differ.length)} with another outcome than reported: ${named.join("; ")}${more}`,
  );
}

function rejudgeFinding(state: "missing" | "contradicted", message: string): CertificateFinding {
  return { part: "rejudge", genuine: true, state, message };
}

/**
 * Checks that the profile is the one of the report.
 * @throws UsageError if it is not.
 */
function refuseOtherProfile(file: string | undefined, { profile }: Report): void {
  const digest = file === undefined ? undefined : sha256(readBytes(file, "profile", MOST_MEGABYTES.settings));
  if (digest === profile?.sha256) return;
  const needed =
    profile === undefined
      ? "no profile"
      : `the profile ${shown(profile.name, 100)} (${profile.sha256.slice(0, 12)})`;
  throw new UsageError(`--profile names another profile than the run had: ${needed}`);
}
