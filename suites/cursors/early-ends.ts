import { createsById } from "../../history/creates/made-items.ts";
import { type Entry, isWrite, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import type { Violation } from "../../history/result.ts";
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
function endsOf(history: History, list: Operation): EarlyEnd[] {
  const pages = history.lists
    .pages(list)
    .filter((page) => page.answer === "shown" && isUnfiltered(list, page))
    .sort((one, other) => one.entry.begun - other.entry.begun);
  const made = createsById(history);
  const written = new Set(history.context.filter(isWrite).map(pathId));
  const isOther = (id: string) => !made.has(id) && !written.has(id);
  return pages.flatMap((ended, index): EarlyEnd[] => {
    const last = ended.ids.at(-1);
    if (ended.next !== null || last === undefined) return [];
    const goesOn = (page: ListPage) =>
      hasSameOrder(page, ended) && idsBehind(page, last, pages).some(isOther);
    const before = pages.slice(0, index).findLast(goesOn);
    return before ? [{ before, ended, after: pages.slice(index + 1).find(goesOn) }] : [];
  });
}

/** True if both pages show the last two items of `ended` in a row. A page of one item is compared with the same page. */
function hasSameOrder({ listKey, ids, size, cursor }: ListPage, ended: ListPage): boolean {
  if (listKey !== ended.listKey) return false;
  if (ended.ids.length === 1) return size === ended.size && cursor === ended.cursor;
  const place = ids.indexOf(ended.ids.at(-1) ?? "");
  return place > 0 && ids[place - 1] === ended.ids.at(-2);
}

/** Returns the ids that follow this one on the page, or on the next page if it is the last. */
function idsBehind({ ids, listKey, next }: ListPage, id: string, pages: readonly ListPage[]): string[] {
  const place = ids.indexOf(id);
  if (place === -1) return [];
  if (place < ids.length - 1 || next === null) return ids.slice(place + 1);
  return pages.filter((page) => page.listKey === listKey && page.cursor === next).flatMap((page) => page.ids);
}
