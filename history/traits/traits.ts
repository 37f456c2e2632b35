/** Finds traits. The report lists them, and no rule reads them. */

import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Trait } from "../../spec/model/result.ts";
import { forbiddenWrites } from "../answers/forbidden-writes.ts";
import { mayBeAcceptedLater } from "../answers/outliers.ts";
import { isAccepted, isRateLimited, isRejected, statusOf } from "../entry.ts";
import type { History } from "../history.ts";
import { changesWithoutWrites } from "./changes.ts";
import { declinedValues } from "./declined-values.ts";
import { lateReads } from "./late-reads.ts";
import { quotas } from "./quotas.ts";
import { type FoundTrait, reported, textOf } from "./trait.ts";

/** Returns all unusual behaviour that the history shows. */
export function traitsOf(history: History): Trait[] {
  return [
    ...lateReads(history),
    ...rateLimit(history),
    ...readOnlyTokens(history),
    ...quotas(history),
    ...briefRejections(history),
    ...declinedValues(history),
    ...changesWithoutWrites(history),
  ].map(reported);
}

function rateLimit({ context }: History): FoundTrait[] {
  const limited = context.filter(isRateLimited);
  if (limited.length === 0) return [];
  const others = limited.some((entry) => statusOf(entry) !== 429);
  const statement = `The service limits requests: it answered ${limited.length} of ${context.length} with 429${others ? ", or with 403 and Retry-After" : ""}.`;
  return [{ trait: "rate-limit", subject: "all operations", statement, shownBy: limited }];
}

const TIMEOUT = 408;

/** Finds requests that were rejected and, sent again, accepted. */
function briefRejections(history: History): FoundTrait[] {
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

function readOnlyTokens(history: History): FoundTrait[] {
  const writes = [...forbiddenWrites(history)];
  if (writes.length === 0) return [];
  const statement = `The token may only read: all ${counted(writes.length, "valid write")} were answered 403. Use --read-only, or a token that may write.`;
  return [{ trait: "read-only-token", subject: "all operations that write", statement, shownBy: writes }];
}
