import {
  ABOUT_ACCESS,
  type Entry,
  endOf,
  hasExcusedStatus,
  isAccepted,
  objectSent,
  pathId,
  statusOf,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListPage, pageBefore } from "../../history/lists/lists.ts";
import { type PagePair, repeatedPages } from "../../history/lists/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
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

interface FirstUse {
  page: ListPage;
  rejected: ListPage;
}

export interface RejectedUse extends FirstUse {
  /** True if the rejection needs no confirmation, or its update used up a fixture and can't be sent again. */
  isProof: boolean;
}

/** Returns rejections of new cursors at their first use. A copy of the list may not have a new item yet. */
function rejectedFirstUses({ lists }: History, list: Operation): FirstUse[] {
  const pages = lists.pages(list);
  return pages.flatMap((rejected): FirstUse[] => {
    const { cursor, entry } = rejected;
    if (rejected.answer !== "rejected" || cursor === null) return [];
    const page = pageBefore(pages, rejected);
    if (!page || page.mayBeLate || rejected.mayBeLate || entry.startedAt - endOf(page.entry) >= FRESH_MS)
      return [];
    const isUsedBefore = pages.some(
      (each) =>
        each.cursor === cursor && each.entry.ended > page.entry.ended && each.entry.begun < entry.begun,
    );
    return isUsedBefore ? [] : [{ page, rejected }];
  });
}

/**
 * Returns rejections of new cursors at their first use after an update of the page's last item. The update shows
 * that the item still exists: the cursor of a removed item may be rejected.
 */
export function rejectedAfterUpdates(history: History, list: Operation): RejectedUse[] {
  const { spec, lists, entries } = history;
  const usesUpFixture = (update: Entry) =>
    spec.schemas
      .fields(update.operation?.body)
      .some(([name, field]) => field["x-consumes"] && name in (objectSent(update) ?? {}));
  const updates = entries.filter((entry) => entry.operation?.kind === "update" && isAccepted(entry));
  return rejectedFirstUses(history, list).flatMap(({ page, rejected }): RejectedUse[] => {
    const between = updates.filter(
      (update) =>
        pathId(update) === page.ids.at(-1) &&
        update.begun > page.entry.ended &&
        update.ended < rejected.entry.begun,
    );
    if (between.length === 0 || !lists.isOfRound(rejected)) return [];
    return [{ page, rejected, isProof: between.some(usesUpFixture) }];
  });
}

/** Fewer rejections of new cursors may be chance. */
const FEWEST_FIRST_USES = 4;

/**
 * Returns rejections of new cursors at their first use, if there are several. A firewall may refuse access, and the
 * cursor of a removed item may be rejected, so the page's last item must be listed later.
 */
export function oftenRejectedAtOnce(history: History, list: Operation): RejectedUse[] {
  const pages = history.lists.pages(list);
  const uses = rejectedFirstUses(history, list).filter(
    ({ page, rejected: { entry } }) =>
      !hasExcusedStatus(entry) &&
      !ABOUT_ACCESS.has(statusOf(entry)) &&
      pages.some((later) => later.entry.begun > entry.ended && later.ids.includes(page.ids.at(-1) ?? "")),
  );
  return uses.length < FEWEST_FIRST_USES ? [] : uses.map((use) => ({ ...use, isProof: true }));
}

/** True if the page differs although the list did not change. An old cursor may be rejected. */
export function showsOtherItems(use: PagePair): boolean {
  const isOld = use.again.answer === "rejected" && (use.cursorAgeMs ?? FRESH_MS) >= FRESH_MS;
  return use.listState === "unchanged" && !isOld && !hasSameItems(use);
}
