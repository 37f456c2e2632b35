import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { mayBeDeleted } from "../creates/deletions.ts";
import { type Use, withoutReplays } from "../creates/keys.ts";
import { type Entry, isRejected, pathId } from "../entry.ts";
import type { History } from "../history.ts";
import { idWithParents, resourceKinds } from "../resource-kinds.ts";
import { listedItems } from "./listed-items.ts";
import type { ListRead } from "./lists.ts";
import { listsOf } from "./lists-of-creates.ts";
import { readsAfter, wholeReads } from "./whole-reads.ts";

/** A resource that a list showed before a rejected update, and two whole lists lack after it. */
export interface HiddenResource {
  use: Use;
  before: Entry;
  update: Entry;
  lacking: readonly [ListRead, ListRead];
}

/** Returns the created resources that lists no longer show once an update of them was rejected. */
export const hiddenByRejection = memoized((history: History, create: Operation): HiddenResource[] => {
  const updates = resourceKinds(history.spec)
    .filter((kind) => kind.create === create)
    .flatMap((kind) => kind.updates);
  const written = history.entries.filter(({ operation }) => operation && updates.includes(operation));
  return withoutReplays(history.creates(create).accepted).flatMap((use) => {
    const writes = written.filter((entry) => isOf(use, entry));
    return writes.some(isRejected) ? (hiddenResource(history, create, use, writes) ?? []) : [];
  });
});

function isOf({ entry: made, place }: Use, entry: Entry): boolean {
  return entry.space === made.space && idWithParents(entry, pathId(entry) ?? "") === place;
}

/** Returns the listed resource if two reads in a row lack it after a rejected update, or `undefined`. */
function hiddenResource(
  history: History,
  create: Operation,
  use: Use,
  writes: readonly Entry[],
): HiddenResource | undefined {
  const shownIn = listedItems(history, create)
    .filter(({ id, page }) => id === use.id && page.space === use.entry.space)
    .map(({ page }) => page);
  const reads = listsOf(history.spec, create).flatMap((list) =>
    readsAfter(wholeReads(history, list), use, history.head.consistencyTimeoutMs),
  );
  for (const [index, first] of reads.entries()) {
    const second = reads[index + 1];
    const [begin, end] = [first.pages[0]?.entry, second?.pages.at(-1)?.entry];
    if (!begin || !second || !end || [first, second].some(({ ids }) => ids.includes(use.id))) continue;
    const before = shownIn.findLast(({ ended }) => ended < begin.begun);
    const between = before
      ? writes.filter((write) => write.ended > before.begun && write.begun < end.ended)
      : [];
    const update = between.findLast(({ ended }) => ended < begin.begun);
    const isExplained = between.every(isRejected) && !mayBeDeleted(history, use.entry, use.id, end);
    if (before && update && isExplained) return { use, before, update, lacking: [first, second] };
  }
  return undefined;
}
