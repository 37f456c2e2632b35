import { createsById } from "../../history/creates/made-items.ts";
import { type Entry, isWrite, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import type { Violation } from "../../history/result.ts";
import { addTo } from "../../spec/grouped.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

interface EarlyEnd {
  before: ListPage;
  ended: ListPage;
  /** A later page that shows others behind the last item. */
  after: ListPage | undefined;
}

/** Returns the violations that a page had no next, although others followed its last item before and after. */
export function earlyEnds(history: History, list: Operation): Violation[] {
  return endsOf(history, list).flatMap(({ before, ended, after }): Violation[] => {
    if (!after) return [];
    return [
      {
        certainty: "proven",
        difference: "too-few",
        expected: "a next, because others followed the last item before and after",
        actual: "next null",
        shownBy: [
          { entry: before.entry },
          { entry: ended.entry, offending: "/pagination/next" },
          { entry: after.entry },
        ],
      },
    ];
  });
}

/** Returns the pages without a next that no later read judges. */
export function endsInDoubt(history: History, list: Operation): Entry[] {
  return endsOf(history, list).flatMap(({ ended, after }) => (after ? [] : [ended.entry]));
}

/**
 * Returns the pages without a next whose last item was followed by others before. Resources that the run made or wrote
 * may leave the list, so they do not count.
 */
const endsOf = memoized((history: History, list: Operation): EarlyEnd[] => {
  const pages = history.lists
    .pages(list)
    .filter((page) => page.answer === "shown" && isUnfiltered(list, page))
    .sort((one, other) => one.entry.begun - other.entry.begun);
  const made = createsById(history);
  const written = new Set(history.context.filter(isWrite).map(pathId));
  const goingOn = pagesGoingOn(pages, (id) => !made.has(id) && !written.has(id));
  return pages.flatMap((ended, index): EarlyEnd[] => {
    const place = placeOf(ended, ended.ids.length - 1);
    const going = (ended.next === null && place !== undefined && goingOn.get(place)) || [];
    const [first] = going;
    const last = going.at(-1);
    if (first === undefined || last === undefined || first > index) return [];
    const [before, after] = [pages[first], last > index ? pages[last] : undefined];
    return before ? [{ before, ended, after }] : [];
  });
});

/** Returns the numbers of the pages that show other items behind the item of each place. */
function pagesGoingOn(
  pages: readonly ListPage[],
  isOther: (id: string) => boolean,
): ReadonlyMap<string, number[]> {
  const nextPages = pages.filter(({ cursor, ids }) => cursor !== null && ids.some(isOther));
  const leadsToOthers = new Set(nextPages.map(({ listKey, cursor }) => `${listKey} ${cursor}`));
  const found = new Map<string, number[]>();
  for (const [number, page] of pages.entries()) {
    const last = page.ids.findLastIndex(isOther);
    const goesOn = page.next !== null && leadsToOthers.has(`${page.listKey} ${page.next}`);
    for (const index of page.ids.keys()) {
      const place = index < last || goesOn ? placeOf(page, index) : undefined;
      if (place !== undefined) addTo(found, place, number);
    }
  }
  return found;
}

/**
 * Returns equal texts for an item behind the same one. An item that is alone on its page is compared with the same page,
 * and the first of several with none.
 */
function placeOf({ listKey, ids, size, cursor }: ListPage, index: number): string | undefined {
  if (ids.length === 1) return JSON.stringify([listKey, size, cursor, ids[0]]);
  return index < 1 ? undefined : JSON.stringify([listKey, ids[index - 1], ids[index]]);
}
