import { idText, isRounded } from "../../spec/identity.ts";
import { isObject, type JsonObject, valueAt } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import type { Classification } from "../classification.ts";
import {
  type Entry,
  type HistoryFacts,
  isAccepted,
  isRejected,
  otherHeaders,
  type Pairs,
  responseJson,
} from "../entry.ts";
import { latenessOf } from "./late-lists.ts";
import { pagingOfOthers } from "./lists-of-creates.ts";

export interface ListPage {
  entry: Entry;
  /** Equal for the same path, version, space, token and other headers. */
  scope: string;
  /** Equal for pages of the same scope and filters. */
  listKey: string;
  filters: Pairs;
  size: number | null;
  cursor: string | null;
  before: string | null;
  /** `uncompared`: a page of size 0, or items without exact ids, which may look equal. */
  answer: "shown" | "uncompared" | "rejected" | "unreadable";
  items: JsonObject[];
  ids: string[];
  next: string | null;
  total: unknown;
  /** True if a copy of the list may lack a resource that the run has just created. */
  mayBeLate: boolean;
}

type ListEnd = "last-page" | "not-followed" | "rejected" | "loop";

export interface ListRead {
  scope: string;
  listKey: string;
  filters: Pairs;
  size: number | null;
  pages: ListPage[];
  items: JsonObject[];
  ids: string[];
  end: ListEnd;
  rejected?: Entry;
}

type PageAlone = Omit<ListPage, "mayBeLate">;

/** Returns the answer as a page of the list, or null if its query is not plain. */
const pageOf = memoized(readPage, ({ list }) => list);

function readPage(entry: Entry, { spec, list }: { spec: Spec; list: Operation }): PageAlone | null {
  const {
    limit,
    after,
    before,
    identity = "id",
  }: Partial<NonNullable<Operation["list"]>> = list.list ?? pagingOfOthers(spec);
  const { query } = entry.request;
  const isPlain = query.every(
    ([name, value]) =>
      value !== "" &&
      [...list.parameters, limit, after].some((one) => one?.in === "query" && one.name === name) &&
      query.filter(([other]) => other === name).length === 1,
  );
  const [, size = null] = query.find(([name]) => name === limit?.name) ?? [];
  const [, cursor = null] = query.find(([name]) => name === after?.name) ?? [];
  const [, item = null] = query.find(([name]) => name === before?.name) ?? [];
  if (!isPlain || (size !== null && limit && !isSize(spec, limit, size))) return null;
  const paging = [limit?.name, after?.name, before?.name];
  const filters = query.filter(([name]) => !paging.includes(name)).sort();
  const { items, isList, next: shownNext, total } = shownBy(entry);
  const next = mayCountItems(spec, list) ? (idText(shownNext) ?? shownNext) : shownNext;
  const { version, space, credential, path } = entry;
  const scope = JSON.stringify([version, space, credential.token, path, otherHeaders(entry)]);
  const isReadable = isList && (typeof next === "string" || next === null);
  const isNameless = items.length > 0 && items.every((item) => item[identity] === undefined);
  const isInexact = items.some((item) => isRounded(item[identity]));
  const shown = isNameless || isInexact || Number(size ?? 1) === 0 ? "uncompared" : "shown";
  const notShown = isRejected(entry) ? "rejected" : "unreadable";
  return {
    entry,
    scope,
    listKey: JSON.stringify([scope, filters]),
    filters,
    size: size === null ? null : Number(size),
    cursor,
    before: item,
    answer: isReadable ? shown : notShown,
    items,
    ids: items.map((item) => String(item[identity])),
    next: typeof next === "string" ? next : null,
    total,
  };
}

function isSize({ schemas }: Spec, { schema }: Parameter, text: string): boolean {
  return String(Number(text)) === text && schemas.validate(schema, Number(text)).length === 0;
}

/** True if the cursor of the next page may be a number, such as the id of an item. */
function mayCountItems({ schemas }: Spec, { response }: Operation): boolean {
  const next = response && schemas.at(response, "/pagination/next");
  return next !== undefined && typesOf(next).includes("integer");
}

/** Returns the items, the next cursor and the total of the answer, which may be missing or malformed. */
function shownBy(entry: Entry): { items: JsonObject[]; isList: boolean; next: unknown; total: unknown } {
  const json = isAccepted(entry) ? responseJson(entry) : undefined;
  const { result, pagination } = isObject(json) ? json : {};
  const { next, total } = isObject(pagination) ? pagination : {};
  return {
    items: Array.isArray(result) ? result.filter(isObject) : [],
    isList: Array.isArray(result) || result === null,
    next: next === undefined || next === "" ? null : next,
    total,
  };
}

export class Lists {
  constructor(private readonly history: HistoryOfLists) {}

  readonly pages = (list: Operation): ListPage[] =>
    allPages(this.history, list).filter(({ before }) => before === null);

  pagesOfRound(list: Operation): ListPage[] {
    return this.pages(list).filter(this.isOfRound);
  }

  pagesWithCursor(list: Operation): ListPage[] {
    return allPages(this.history, list).filter(({ cursor, before }) => cursor !== null || before !== null);
  }

  reads(list: Operation): ListRead[] {
    return joinedPages(this, list);
  }

  readonly isOfRound = ({ entry }: ListPage): boolean => {
    const { entries } = this.history;
    return entries.length > 0 && entry.round === entries[0]?.round;
  };
}

interface HistoryOfLists extends HistoryFacts {
  isOrdinary(entry: Entry): boolean;
  answers: { wasSentAgain(entry: Entry): boolean; classification(entry: Entry): Classification };
}

const allPages = memoized((history: HistoryOfLists, list: Operation): ListPage[] => {
  const { spec, head, context } = history;
  const isLate = latenessOf(spec, list, context, head.consistencyTimeoutMs);
  return context.flatMap((entry) => {
    const isEvidence =
      entry.operation === list &&
      history.isOrdinary(entry) &&
      !history.answers.wasSentAgain(entry) &&
      hasKnownParent(history, list, entry);
    const page = isEvidence ? pageOf(entry, { spec, list }) : null;
    return page ? { ...page, mayBeLate: isLate(entry) } : [];
  });
});

function hasKnownParent({ answers }: HistoryOfLists, { outer }: Operation, entry: Entry): boolean {
  if (outer.length === 0) return true;
  return !answers.classification(entry).faults.some(({ cause }) => cause === "unknown-id");
}

const joinedPages = memoized((lists: Lists, list: Operation) =>
  joinPages(lists.pages(list), lists.isOfRound),
);

/** Joins the pages to reads. A page continues the latest read that received its cursor, unless one already did. */
function joinPages(pages: readonly ListPage[], isWanted: (page: ListPage) => boolean): ListRead[] {
  const reads: ListRead[] = [];
  const open = new Map<string, ListRead>();
  const used = new Set<string>();
  for (const page of [...pages].sort((a, b) => a.entry.begun - b.entry.begun)) {
    const place = placeOfCursor(page, page.cursor ?? "");
    // A service may accept a cursor only once, so a rejected repetition proves nothing.
    const isSpent = page.answer === "rejected" && used.has(place);
    if (page.answer === "shown") used.add(place);
    if (!isWanted(page)) continue;
    const read = page.cursor === null ? beginRead(page) : takeOpen(open, place, page);
    if (!read || isSpent || !canBeCompared(page)) continue;
    if (page.cursor === null) reads.push(read);
    addPage(read, page);
    if (read.end === "not-followed" && page.next !== null) open.set(placeOfCursor(page, page.next), read);
  }
  return reads;
}

/** Returns the latest page before this one, in the same list and size, whose `next` is its cursor. */
export function pageBefore(
  pages: readonly ListPage[],
  { cursor, listKey, size, entry }: ListPage,
): ListPage | undefined {
  if (cursor === null) return undefined;
  return pages.findLast(
    (page) =>
      page.next === cursor &&
      page.listKey === listKey &&
      page.size === size &&
      page.entry.ended < entry.begun,
  );
}

/** Names a cursor of a list at a page size. */
export function placeOfCursor({ listKey, size }: ListPage, cursor: string): string {
  return JSON.stringify([listKey, size, cursor]);
}

function beginRead({ answer, scope, listKey, filters, size }: ListPage): ListRead | undefined {
  if (answer !== "shown") return undefined;
  return { scope, listKey, filters, size, pages: [], items: [], ids: [], end: "not-followed" };
}

function takeOpen(open: Map<string, ListRead>, place: string, page: ListPage): ListRead | undefined {
  const read = open.get(place);
  const last = read?.pages.at(-1);
  if (!read || !last || last.entry.ended > page.entry.begun) return undefined;
  open.delete(place);
  return read;
}

function addPage(read: ListRead, page: ListPage): void {
  if (page.answer === "rejected") {
    read.end = "rejected";
    read.rejected = page.entry;
    return;
  }
  read.pages.push(page);
  read.items.push(...page.items);
  read.ids.push(...page.ids);
  const isKnown = read.pages.some(({ cursor }) => cursor === page.next);
  if (page.next === null) read.end = "last-page";
  else if (isKnown) read.end = "loop";
}

/** False for unreadable pages, pages of size 0, and items without exact ids. */
export function canBeCompared({ answer }: ListPage): boolean {
  return answer === "shown" || answer === "rejected";
}

/** True if the answer is a list, even one whose items are not compared. */
export function showsList({ answer }: ListPage): boolean {
  return answer === "shown" || answer === "uncompared";
}

/** True if the answer is a list with `next` null. */
export function isLastPage(entry: Entry): boolean {
  const json = responseJson(entry);
  return isObject(json) && Array.isArray(json.result) && valueAt(json, "/pagination/next") === null;
}
