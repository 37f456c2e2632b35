import type { JudgedTraffic } from "./report.ts";
import { count, number } from "./text.ts";

export function judgedInWords({ requirements, exchanges, agreement }: JudgedTraffic): string {
  const { exercised, violated, total } = requirements;
  const counts = `${number(exercised)} of ${count(total, "requirement")} exercised, ${number(violated)} violated`;
  const compared =
    agreement === undefined
      ? ""
      : ` ${number(agreement.compared - agreement.differ.length)} of ${count(agreement.compared, "outcome")} as the run reported ${agreement.compared === 1 ? "it" : "them"}.`;
  return `${counts}, by ${count(exchanges, "recorded exchange")}.${compared}`;
}

export function judgedQuestion({ checks }: JudgedTraffic): string {
  const isWhole = checks.total === checks.judged;
  const share = `${number(checks.judged)} of ${count(checks.total, "check")}`;
  const others = isWhole ? "" : ` Only ${share} can be judged from recorded traffic; the others need a run.`;
  return `Recorded traffic shows what is broken, not that nothing is.${others}`;
}
