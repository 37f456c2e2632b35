import { deletionsIn, isAtOrBelow, namesLast, pathOf } from "../../history/deletions.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { memoized } from "../../history/memoized.ts";

const deletions = memoized(({ context }: History) => deletionsIn(context));

/** True if another client may have deleted the created resource, or one of its parents, before `by` ended. */
export function mayBeDeleted(history: History, created: Entry, id: string, by: Entry): boolean {
  const path = `${pathOf(created)}/${encodeURIComponent(id)}`;
  return deletions(history).some(
    (each) => each.entry.begun < by.ended && (isAtOrBelow(path, each) || namesLast(each, id)),
  );
}
