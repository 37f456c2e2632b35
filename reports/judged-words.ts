import type { JudgedTraffic } from "./report.ts";
import { count, number } from "./text.ts";

/** Says how many requirements recorded traffic exercises and violates. */
export function judgedInWords({ requirements, exchanges, agreement }: JudgedTraffic): string {
  const { exercised, violated, total } = requirements;
  const counts = `${number(exercised)} of ${count(total, "requirement")} exercised, ${number(violated)} violated`;
  const compared =
    agreement === undefined
      ? ""
      : ` ${number(agreement.compared - agreement.differ.length)} of ${count(agreement.compared, "outcome")} as the run reported ${agreement.compared === 1 ? "it" : "them"}.`;
  return `${counts}, by ${count(exchanges, "recorded exchange")}.${compared}`;
}

export const JUDGED_QUESTION = "Recorded traffic shows what is broken, not that nothing is.";
