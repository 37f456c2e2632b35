import { memoized } from "../../spec/memoized.ts";
import { type Entry, type HistoryFacts, isRejected } from "../entry.ts";

export interface Deletion {
  entry: Pick<Entry, "begun" | "ended">;
  path: string;
}

/** Returns deletions, also by undocumented operations. The suite deletes nothing, but other clients may. */
export function deletionsIn(entries: Iterable<Entry>): Deletion[] {
  return [...entries]
    .filter((entry) => entry.request.method === "DELETE" && !isRejected(entry))
    .map((entry) => ({ entry, path: pathOf(entry) }));
}

/** Returns the path of the URL, without query and trailing slash. */
export function pathOf({ request }: Pick<Entry, "request">): string {
  return (request.url.split("?")[0] ?? "").replace(/\/+$/, "");
}

/** True if the path is the deleted one, or of a resource that belongs to it. */
export function isAtOrBelow(path: string, { path: deleted }: Pick<Deletion, "path">): boolean {
  return path === deleted || path.startsWith(`${deleted}/`);
}

/** True if the deletion names the id at its end. */
export function namesLast({ path }: Deletion, id: string): boolean {
  return path.endsWith(`/${encodeURIComponent(id)}`);
}

/** True if the deletion of the created resource, or of one of its parents, began before `by` ended. */
export function mayDelete(deletion: Deletion, created: Entry, id: string, by: Entry): boolean {
  const path = `${pathOf(created)}/${encodeURIComponent(id)}`;
  return deletion.entry.begun < by.ended && (isAtOrBelow(path, deletion) || namesLast(deletion, id));
}

export const deletionsOf = memoized(({ context }: Pick<HistoryFacts, "context">) => deletionsIn(context));

/** True if another client may have deleted the created resource, or one of its parents, before `by` ended. */
export function mayBeDeleted(history: HistoryFacts, created: Entry, id: string, by: Entry): boolean {
  return deletionsOf(history).some((each) => mayDelete(each, created, id, by));
}
