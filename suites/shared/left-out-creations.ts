import { mayBeDeleted } from "../../history/creates/deletions.ts";
import { type Entry, endOf, isAccepted, shownId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { without } from "../../history/lists/left-out.ts";
import { listsOf } from "../../history/lists/lists-of-creates.ts";
import type { ListPair } from "../../history/lists/pairs.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUnfiltered } from "./followed-lists.ts";

/** True if a full read omits a resource of the run that lists before and after show. A delay is ruled out. */
export function leavesOutCreation(history: History, list: Operation, { before, read }: ListPair): boolean {
  if (read.end !== "last-page" || !isUnfiltered(list, read)) return false;
  const creations = creationsOf(history, list);
  const begunAt = read.pages[0]?.entry.startedAt ?? 0;
  const last = read.pages.at(-1)?.entry;
  return without(before.ids, read.ids).some((id) => {
    const creation = creations.get(id);
    if (!creation || !last || endOf(creation) + history.head.consistencyTimeoutMs >= begunAt) return false;
    return !mayBeDeleted(history, creation, id, last);
  });
}

/** Returns accepted creates that the list must show, by resource id. */
export function creationsListed(
  spec: Spec,
  list: Operation,
  entries: readonly Entry[],
): ReadonlyMap<string, Entry> {
  const creations = new Map<string, Entry>();
  for (const entry of entries) {
    const { operation } = entry;
    if (operation?.kind !== "create" || !isAccepted(entry) || !listsOf(spec, operation).includes(list))
      continue;
    const id = shownId(spec, entry);
    if (id !== undefined && !creations.has(String(id))) creations.set(String(id), entry);
  }
  return creations;
}

const creationsOf = memoized(({ spec, context }: History, list: Operation) =>
  creationsListed(spec, list, context),
);
