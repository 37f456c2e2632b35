import { endOf, isAccepted, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { without } from "../../history/left-out.ts";
import { listsOf } from "../../history/lists-of-creates.ts";
import { memoized } from "../../history/memoized.ts";
import type { ListPair } from "../../history/pairs.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "./followed-lists.ts";

/**
 * True if a read to the end of the list leaves out a resource of the run that the lists around it show. No operation
 * deletes resources, so neither other clients nor a delay explain this.
 */
export function leavesOutCreation(history: History, list: Operation, { before, read }: ListPair): boolean {
  if (read.end !== "last-page" || !isUnfiltered(list, read)) return false;
  const created = creationTimes(history, list);
  const begunAt = read.pages[0]?.entry.startedAt ?? 0;
  return without(before.ids, read.ids).some((id) => {
    const createdAt = created.get(id);
    return createdAt !== undefined && createdAt + history.head.consistencyTimeoutMs < begunAt;
  });
}

/** By id: when the create of the resource ended, in milliseconds since 1970. */
const creationTimes = memoized(({ spec, context }: History, list: Operation): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const entry of context) {
    const { operation } = entry;
    if (operation?.kind !== "create" || !isAccepted(entry) || !listsOf(spec, operation).includes(list))
      continue;
    const id = resourceIn(entry)?.[identityOf(spec, operation)];
    if (id !== undefined && !times.has(String(id))) times.set(String(id), endOf(entry));
  }
  return times;
});
