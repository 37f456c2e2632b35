import { createsById } from "../../history/creates/keys.ts";
import { isBetween, isRejected, isWrite, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { MIN_DIFFERENCES } from "../../history/lists/pairs.ts";
import { type Violation, violationBy } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Operation } from "../../spec/model/spec.ts";

type Pair = readonly [string, string];

/**
 * Returns the violation that two resources of the run changed places several times, although nothing wrote them. A list
 * may be sorted by anything, so resources that others may write prove nothing.
 */
export function swappedItems(history: History, list: Operation): Violation[] {
  const made = createsById(history);
  const shown = history.lists
    .pages(list)
    .filter(({ answer }) => answer === "shown")
    .sort((one, other) => one.entry.begun - other.entry.begun);
  const found = [...groupedBy(shown, ({ listKey }) => listKey).values()].flatMap((pages) => {
    const pairs = pages.slice(1).flatMap((next, index) => swappedPairs(pages[index], next, made));
    const distinct = new Map(pairs.map((pair) => [[...pair].sort().join(" "), pair]));
    return [...distinct.values()].flatMap((pair) => swapsOf(history, pages, pair));
  });
  return found.slice(0, 1);
}

function swapsOf(history: History, pages: readonly ListPage[], pair: Pair): Violation[] {
  const showing = pages.filter(({ ids }) => pair.every((id) => ids.includes(id)));
  const turns = showing.filter((page, index) => {
    const before = showing[index - 1];
    return !before || isFirst(page, pair) !== isFirst(before, pair);
  });
  const [first, second, third] = turns;
  const last = turns.at(-1);
  if (!first || !second || !third || !last || turns.length <= 2 * MIN_DIFFERENCES) return [];
  const isWritten = history.context.some(
    (entry) =>
      isWrite(entry) &&
      !isRejected(entry) &&
      pair.includes(pathId(entry) ?? "") &&
      isBetween(entry, first.entry, last.entry),
  );
  if (isWritten) return [];
  const [one, other] = isFirst(first, pair) ? pair : [pair[1], pair[0]];
  const expected = `${one} before ${other} each time, because nothing wrote them`;
  const actual = `the order changed ${turns.length - 1} times`;
  return [violationBy("proven", { expected, actual }, first.entry, second.entry, third.entry)];
}

function isFirst({ ids }: ListPage, [one, other]: Pair): boolean {
  return ids.indexOf(one) < ids.indexOf(other);
}

/** Returns resources of the run that are neighbours on the page, and whose order is another on the next page. */
function swappedPairs(
  page: ListPage | undefined,
  next: ListPage,
  made: ReadonlyMap<string, unknown>,
): Pair[] {
  const places = new Map(next.ids.map((id, index) => [id, index]));
  const common = (page?.ids ?? []).filter((id) => made.has(id) && places.has(id));
  return common.slice(1).flatMap((other, index): Pair[] => {
    const one = common[index] ?? other;
    return Number(places.get(one)) > Number(places.get(other)) ? [[one, other]] : [];
  });
}
