import { type Entry, endOf, isAccepted, objectSent, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListPage, pageBefore } from "../../history/lists/lists.ts";
import { type PagePair, repeatedPages } from "../../history/lists/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

/** Returns pages that a cursor showed again. */
export function cursorUses({ lists }: History, list: Operation): PagePair[] {
  const isBeginning = ({ size, cursor }: PagePair["first"]) => cursor === null && size === wholeSize(list);
  return repeatedPages(lists.pages(list), isBeginning).filter(
    ({ again }) => again.cursor !== null && lists.isOfRound(again) && isUnfiltered(list, again),
  );
}

/** True if both pages show the same items, in any order. */
export function hasSameItems({ first, again }: PagePair): boolean {
  return again.answer === "shown" && sameJson([...first.ids].sort(), [...again.ids].sort());
}

/** An older cursor may be rejected, because the specification states no lifetime. */
const FRESH_MS = 1_000;

export interface RejectedUse {
  page: ListPage;
  rejected: ListPage;
  /** True if the update used up a fixture, so it can't be sent again. */
  isOnce: boolean;
}

/**
 * Returns rejections of new cursors at their first use after an update of the page's last item. The update shows
 * that the item still exists: the cursor of a removed item may be rejected.
 */
export function rejectedAfterUpdates({ spec, lists, entries }: History, list: Operation): RejectedUse[] {
  const pages = lists.pages(list);
  const updates = entries.filter((entry) => entry.operation?.kind === "update" && isAccepted(entry));
  return pages.flatMap((rejected): RejectedUse[] => {
    const { cursor, entry } = rejected;
    if (rejected.answer !== "rejected" || cursor === null || !lists.isOfRound(rejected)) return [];
    const page = pageBefore(pages, rejected);
    // A copy of the list may not have the item yet.
    if (!page || page.mayBeLate || rejected.mayBeLate || entry.startedAt - endOf(page.entry) >= FRESH_MS)
      return [];
    const isUsedBefore = pages.some(
      (each) =>
        each.cursor === cursor && each.entry.ended > page.entry.ended && each.entry.begun < entry.begun,
    );
    const between = updates.filter(
      (update) =>
        pathId(update) === page.ids.at(-1) && update.begun > page.entry.ended && update.ended < entry.begun,
    );
    const isOnce = between.some((update) => usesUpFixture(spec, update));
    return between.length === 0 || isUsedBefore ? [] : [{ page, rejected, isOnce }];
  });
}

function usesUpFixture({ schemas }: Spec, update: Entry): boolean {
  const sent = objectSent(update) ?? {};
  return schemas
    .fields(update.operation?.body)
    .some(([name, field]) => field["x-consumes"] !== undefined && name in sent);
}

/** True if the page differs although the list did not change. An old cursor may be rejected. */
export function showsOtherItems(use: PagePair): boolean {
  const isOld = use.again.answer === "rejected" && (use.cursorAgeMs ?? FRESH_MS) >= FRESH_MS;
  return use.listState === "unchanged" && !isOld && !hasSameItems(use);
}
