import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { mayBeAcceptedLater } from "../answers/outliers.ts";
import { isAccepted, isRejected, statusOf } from "../entry.ts";
import type { History } from "../history.ts";
import { type FoundTrait, textOf } from "./trait.ts";

const TIMEOUT = 408;

/** Finds requests that were rejected and, sent again, accepted. */
export function briefRejections(history: History): FoundTrait[] {
  const accepted = groupedBy(history.context.filter(isAccepted), textOf);
  const brief = history.context.flatMap((entry) => {
    const isMeant = statusOf(entry) === TIMEOUT || (isRejected(entry) && mayBeAcceptedLater(entry));
    if (!isMeant || !history.isOrdinary(entry)) return [];
    const again = accepted.get(textOf(entry))?.find(({ begun }) => begun > entry.ended);
    return again && history.answers.isValid(entry) ? [{ entry, again }] : [];
  });
  return [...groupedBy(brief, ({ entry }) => entry.operation?.key ?? "")].map(([operation, members]) => {
    const statuses = [...new Set(members.map(({ entry }) => statusOf(entry)))].sort().join(", ");
    const statement = `${operation} rejects some valid requests for a moment: ${counted(members.length, "request")} answered ${statuses} at first and accepted later.`;
    const shownBy = members.slice(0, 1).flatMap(({ entry, again }) => [entry, again]);
    return { trait: "brief-rejection", subject: operation, statement, shownBy };
  });
}
