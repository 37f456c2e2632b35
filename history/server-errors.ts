/** Server errors of which one answer alone does not prove that they stay. */

import type { Operation } from "../spec/model/spec.ts";
import { type Answer, type Answers, isServerError } from "./answers.ts";
import { type Entry, statusOf } from "./entry.ts";

/** Bad Gateway, Service Unavailable, Gateway Timeout: what stands before a service that is not there. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];

export interface ServerErrors {
  /** Errors that the same request got twice, or that a race showed in two rounds. */
  lasting: Answer[];
  /** Errors in a race: our client did not send the request again. */
  raced: Answer[];
  /** The first error that did not stay, and what came instead if the request was sent again. */
  passing: Entry[] | undefined;
}

/** The server errors of an operation. A race is what one probe asks in one round. */
export function serverErrors(
  answers: Answers,
  entries: readonly Entry[],
  operation: Operation,
): ServerErrors {
  const earlier = errorsBeforeRepeats(entries, operation);
  const before = ({ entry }: Answer) =>
    earlier.get(entry.repeats ?? entry.index)?.find((one) => one !== entry);
  const errors = answers.to(operation).filter(isServerError);
  const lasting = errors.filter(before);
  const once = errors.filter((answer) => !before(answer));
  const raced = once.filter(({ status }) => !UNAVAILABLE.includes(status));
  const again = raced.filter(({ entry }) =>
    raced.some((other) => other.entry.probe === entry.probe && other.entry.round !== entry.round),
  );
  const gone = once.find(({ status }) => UNAVAILABLE.includes(status))?.entry;
  const better = answers.to(operation).find((answer) => !isServerError(answer) && before(answer));
  const passed = better && [before(better), better.entry].filter((entry) => entry !== undefined);
  return { lasting: [...lasting, ...again], raced, passing: passed ?? (gone && [gone]) };
}

/** Entries with server errors, by the first entry of their request. */
function errorsBeforeRepeats(entries: readonly Entry[], operation: Operation): Map<number, Entry[]> {
  const errors = new Map<number, Entry[]>();
  for (const entry of entries) {
    if (entry.operation !== operation || !isServerError({ status: statusOf(entry) ?? 0, operation }))
      continue;
    const first = entry.repeats ?? entry.index;
    errors.set(first, [...(errors.get(first) ?? []), entry]);
  }
  return errors;
}
