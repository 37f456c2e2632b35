import { groupedBy } from "../../spec/grouped.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Entry, statusOf } from "../entry.ts";
import { type Answer, type Answers, isServerError } from "./answers.ts";

const UNAVAILABLE: readonly number[] = [502, 503, 504];

export interface ServerErrors {
  lasting: Answer[];
  concurrent: Answer[];
  concurrentOnce: Answer | undefined;
  passing: [Entry, ...Entry[]] | undefined;
}

/** Sorts server errors: only those of requests that fail again are lasting. */
export function serverErrors(
  { answers, context, entries }: { answers: Answers; context: readonly Entry[]; entries: readonly Entry[] },
  operation: Operation,
): ServerErrors {
  const ofRound = new Set(entries);
  const errorsBySending = serverErrorsBySending(context, operation);
  const otherErrorOf = ({ entry }: Answer) =>
    errorsBySending.get(entry.repeats ?? entry.index)?.find((one) => one !== entry);
  const errors = answers.to(operation).filter(isServerError);
  const repeated = errors.filter(otherErrorOf);
  const single = errors.filter((answer) => !otherErrorOf(answer));
  const concurrent = single.filter(({ status }) => !UNAVAILABLE.includes(status));
  const inSeveralRounds = concurrent.filter(({ entry }) =>
    concurrent.some((other) => other.entry.probe === entry.probe && other.entry.round !== entry.round),
  );
  const unavailable = single.find(({ status }) => UNAVAILABLE.includes(status))?.entry;
  const recovered = answers.to(operation).filter((answer) => !isServerError(answer) && otherErrorOf(answer));
  const shown = recovered.find(({ entry }) => ofRound.has(entry)) ?? recovered[0];
  const error = shown && otherErrorOf(shown);
  const pair: [Entry, Entry] | undefined = error && [error, shown.entry];
  return {
    lasting: [...repeated, ...inSeveralRounds],
    concurrent: concurrent.filter(({ entry }) => ofRound.has(entry)),
    concurrentOnce: concurrent.find(({ entry }) => !ofRound.has(entry)),
    passing: pair ?? (unavailable && [unavailable]),
  };
}

function serverErrorsBySending(entries: readonly Entry[], operation: Operation): Map<number, Entry[]> {
  const errors = entries.filter(
    (entry) => entry.operation === operation && isServerError({ status: statusOf(entry) ?? 0, operation }),
  );
  return groupedBy(errors, ({ repeats, index }) => repeats ?? index);
}
