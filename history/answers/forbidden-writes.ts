import { memoized } from "../../spec/memoized.ts";
import { type Entry, isAccepted, isWrite, statusOf } from "../entry.ts";
import type { History } from "../history.ts";

const FORBIDDEN = 403;
/** A single operation that always answers 403 may be broken. */
const LEAST_OPERATIONS = 2;

/** Returns the valid writes if each got 403 while a read succeeded: the token is read-only. */
export const forbiddenWrites = memoized((history: History): ReadonlySet<Entry> => {
  const [first = null] = history.head.spaces;
  const valid = history.context.filter(
    (entry) =>
      (entry.space ?? first) === first && history.isOrdinary(entry) && history.answers.isValid(entry),
  );
  const writes = valid.filter(isWrite);
  const isForbidden =
    valid.some((entry) => !isWrite(entry) && isAccepted(entry)) &&
    writes.every((entry) => statusOf(entry) === FORBIDDEN) &&
    new Set(writes.map(({ operation }) => operation)).size >= LEAST_OPERATIONS;
  return new Set(isForbidden ? writes : []);
});
