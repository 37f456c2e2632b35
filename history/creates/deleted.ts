import { memoized } from "../../spec/memoized.ts";
import type { Entry } from "../entry.ts";
import type { History } from "../history.ts";
import { deletionsIn, mayDelete } from "./deletions.ts";

export const deletionsOf = memoized(({ context }: Pick<History, "context">) => deletionsIn(context));

/** True if another client may have deleted the created resource, or one of its parents, before `by` ended. */
export function mayBeDeleted(history: History, created: Entry, id: string, by: Entry): boolean {
  return deletionsOf(history).some((each) => mayDelete(each, created, id, by));
}
