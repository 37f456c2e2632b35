import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { skippedOver, without } from "../../history/lists/left-out.ts";
import type { ListPage, ListRead } from "../../history/lists/lists.ts";
import {
  comparedLists,
  hasEnd,
  type ListComparison,
  type ListPair,
  pairedWithReferences,
} from "../../history/lists/pairs.ts";
import { type Described, type Violation, violationBy } from "../../history/result.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { describeValue } from "../../spec/schema.ts";
import { faultOf, isUnfiltered } from "../shared/followed-lists.ts";
import {
  type Combination,
  type FilterSet,
  filteredValue,
  isShown,
  matches,
  optionsOf,
  queryText,
} from "./matching.ts";

export type FilterFault =
  | "FILTER-COMPLETE"
  | "CURSOR-FILTERED"
  | "CURSOR-ACCEPTED"
  | "CURSOR-END"
  | "LIST-SHOWS-ALL";

export interface FilterFinding extends Described {
  fault: FilterFault;
}

/** Returns the filters of a read by their names. */
export function filterValuesOf({ filters }: Pick<ListRead, "filters">): Combination {
  return Object.fromEntries(filters);
}

/** True if the read has exactly the filters of the set. */
export function isUnder({ operation, set }: FilterSet, { filters }: Pick<ListRead, "filters">): boolean {
  const optional = (operation.list?.filters ?? []).filter(({ required }) => !required);
  return optional.every((filter) => set.includes(filter) === filters.some(([name]) => name === filter.name));
}

/** True if the service must know the values: its items show them, or they are documented. */
export function isKnown(history: History, { operation, set }: FilterSet, page: ListPage): boolean {
  const values = filterValuesOf(page);
  return set.every(
    (filter) =>
      optionsOf(filter).some((option) => option === values[filter.name]) ||
      shownValues(history, operation, filter).some((value) => isShown(filter, values[filter.name], value)),
  );
}

const valuesShown = memoized(
  (history: History, [list, filter]: [list: Operation, filter: Parameter]) => {
    const values = history.lists
      .reads(list)
      .filter((read) => isUnfiltered(list, read))
      .flatMap((read) => read.items)
      .map((item) => filteredValue(item, filter))
      .filter((value) => value !== undefined);
    return [...new Set(values)];
  },
  ([, filter]) => filter,
);

/** Returns the values of a filter that unfiltered items show. */
export function shownValues(history: History, list: Operation, filter: Parameter): string[] {
  return valuesShown(history, [list, filter]);
}

/** True if the item shows the field of the filter. It may leave out or mask the field. */
function showsField(item: JsonObject, filter: Parameter): boolean {
  const shown = valueAt(item, filter.filter ?? "");
  return shown !== undefined && !(filter.isMaskable && filteredValue(item, filter) === undefined);
}

/** Returns the pages with an item that shows all filtered fields. */
export function showingFields(pages: readonly ListPage[], set: readonly Parameter[]): ListPage[] {
  return pages.filter(({ items }) => items.some((item) => set.every((filter) => showsField(item, filter))));
}

/** Returns the first item on the page that does not match its filters, or null. */
function firstMismatch(
  page: ListPage,
  set: readonly Parameter[],
): { item: string; offending: string } | null {
  const values = filterValuesOf(page);
  for (const [index, item] of page.items.entries()) {
    const wrong = set.find((filter) => showsField(item, filter) && !matches(item, [filter], values));
    if (!wrong) continue;
    const shown = describeValue(filteredValue(item, wrong));
    return {
      item: `an item with ${wrong.name} ${shown}`,
      offending: `/result/${index}${wrong.filter ?? ""}`,
    };
  }
  return null;
}

/** Compares filtered reads with unfiltered ones before and after them. */
export function comparedFilters(history: History, at: FilterSet): ListComparison<FilterFinding>[] {
  const { operation, set } = at;
  const reads = history.lists.reads(operation);
  // Other rules compare requests without a page size.
  const hasSize = ({ size }: ListRead) => size !== null || operation.list?.limit === undefined;
  const under = reads.filter((read) => hasSize(read) && isUnder(at, read));
  const sound = under.filter(({ pages }) => pages.every((page) => firstMismatch(page, set) === null));
  const whole = wholeSize(operation);
  const pairs = pairedWithReferences(reads, {
    isReference: (read) => read.size === whole && isUnfiltered(operation, read),
    isCompared: (read) => sound.includes(read),
    isSame: (one, other) => scopeOf(operation, one) === scopeOf(operation, other),
    reaches: hasEnd,
    state: ({ items, ids }) =>
      ids.map((id, index) => [id, ...set.map((filter) => filteredValue(items[index] ?? {}, filter))]),
  });
  return comparedLists(pairs, (pair) => findingOf(pair, set, sound));
}

function scopeOf({ list }: Operation, { scope, filters }: ListRead): string {
  const optional = new Set(list?.filters.filter((filter) => !filter.required).map(({ name }) => name));
  return JSON.stringify([scope, filters.filter(([name]) => !optional.has(name))]);
}

/** Returns how the filtered list differs from the matching items of the whole list, or null if it does not. */
function findingOf({ before, read }: ListPair, set: Parameter[], others: ListRead[]): FilterFinding | null {
  const values = filterValuesOf(read);
  const under = queryText(values);
  const fault = read.items.length > 0 || read.rejected ? faultOf(read) : null;
  if (fault?.fault === "CURSOR-ACCEPTED" || fault?.fault === "CURSOR-END")
    return { ...fault, fault: fault.fault };
  if (fault) return { ...fault, fault: "CURSOR-FILTERED", expected: `${fault.expected} under ${under}` };
  const wanted = before.ids.filter((_, index) => matches(before.items[index] ?? {}, set, values));
  // Unread later pages may hold the missing items.
  const lost = read.end === "last-page" ? without(wanted, read.ids) : skippedOver(wanted, read.ids);
  if (lost.length > 0) {
    const actual = `${lost.length} matching items left out`;
    return {
      fault: faultOfLostItem(read, lost, others),
      difference: "missing",
      expected: `the list under ${under} to show ${lost[0]}`,
      actual,
    };
  }
  // The unfiltered list has the default value of each filter, and leaves out others.
  const isLeftOut = ({ name, schema }: Parameter) =>
    (schema.default ?? null) !== null && String(schema.default) !== values[name];
  const showsAll = before.end === "last-page" && !set.some(isLeftOut);
  const added = showsAll ? without(read.ids, before.ids) : [];
  if (added.length === 0) return null;
  return {
    fault: "LIST-SHOWS-ALL",
    difference: "missing",
    expected: `the unfiltered list to show ${added[0]}, which ${under} shows`,
    actual: `${added.length} items left out`,
  };
}

/** Returns which fault lost the item. If a larger page shows it, `next` lost it, and not the filter. */
function faultOfLostItem(read: ListRead, [lost = ""]: string[], others: ListRead[]): FilterFault {
  const shows = others.some(
    ({ listKey, size, ids }) =>
      listKey === read.listKey && (size ?? 0) > (read.size ?? 0) && ids.includes(lost),
  );
  return shows ? "CURSOR-FILTERED" : "FILTER-COMPLETE";
}

/** Returns the first or the following pages whose values the service must know. */
export function pagesOfKnown(history: History, at: FilterSet, which: "first" | "following"): ListPage[] {
  return history.lists
    .pagesOfRound(at.operation)
    .filter((page) => isUnder(at, page) && (page.cursor === null) === (which === "first"))
    .filter((page) => isKnown(history, at, page));
}

export function entriesOf(pages: readonly ListPage[]): Entry[] {
  return pages.map(({ entry }) => entry);
}

/** Returns a proven violation for each page with an item that does not match. */
export function mismatches(pages: ListPage[], set: readonly Parameter[]): Violation[] {
  return pages.flatMap((page) => {
    const wrong = firstMismatch(page, set);
    if (!wrong) return [];
    const facts = { expected: `only items with ${queryText(filterValuesOf(page))}`, actual: wrong.item };
    return [violationBy("proven", facts, { entry: page.entry, offending: wrong.offending })];
  });
}
