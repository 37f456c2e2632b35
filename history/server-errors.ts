/** A single server error may pass, so it counts as lasting only if it shows again after the same request. */

import { groupedBy } from "../spec/grouped.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Answer, type Answers, isServerError } from "./answers.ts";
import { type Entry, statusOf } from "./entry.ts";

const UNAVAILABLE: readonly number[] = [502, 503, 504];

export interface ServerErrors {
  lasting: Answer[];
  concurrent: Answer[];
  concurrentOnce: Answer | undefined;
  passing: [Entry, ...Entry[]] | undefined;
}

export function serverErrors(
  { answers, context, entries }: { answers: Answers; context: readonly Entry[]; entries: readonly Entry[] },
  operation: Operation,
): ServerErrors {
  const earlier = errorsBeforeRepeats(context, operation);
  const before = ({ entry }: Answer) =>
    earlier.get(entry.repeats ?? entry.index)?.find((one) => one !== entry);
  const errors = answers.to(operation).filter(isServerError);
  const lasting = errors.filter(before);
  const once = errors.filter((answer) => !before(answer));
  const concurrent = once.filter(({ status }) => !UNAVAILABLE.includes(status));
  const again = concurrent.filter(({ entry }) =>
    concurrent.some((other) => other.entry.probe === entry.probe && other.entry.round !== entry.round),
  );
  const own = new Set(entries);
  const gone = once.find(({ status }) => UNAVAILABLE.includes(status))?.entry;
  const passed = answers.to(operation).filter((answer) => !isServerError(answer) && before(answer));
  const better = passed.find(({ entry }) => own.has(entry)) ?? passed[0];
  const error = better && before(better);
  const pair: [Entry, Entry] | undefined = error && [error, better.entry];
  return {
    lasting: [...lasting, ...again],
    concurrent: concurrent.filter(({ entry }) => own.has(entry)),
    concurrentOnce: concurrent.find(({ entry }) => !own.has(entry)),
    passing: pair ?? (gone && [gone]),
  };
}

function errorsBeforeRepeats(entries: readonly Entry[], operation: Operation): Map<number, Entry[]> {
  const errors = entries.filter(
    (entry) => entry.operation === operation && isServerError({ status: statusOf(entry) ?? 0, operation }),
  );
  return groupedBy(errors, ({ repeats, index }) => repeats ?? index);
}
