import { isTokenLike } from "../../spec/formats.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { type Entry, requestJson, responseJson } from "../entry.ts";
import type { History } from "../history.ts";
import { isLastPage } from "../lists/lists.ts";
import { listsOf, namedListsOf } from "../lists/lists-of-creates.ts";
import { textsIn } from "../values/tags.ts";

/** Returns long texts of creates that no complete list had shown before. */
export function tagsOfOthers(history: History): Set<string> {
  const creates = operationsOf(history.spec, "create");
  const shownFirst = textsShownFirst(history.entries);
  const texts = creates.flatMap((create) => textsOfCreates(history, create));
  return new Set(texts.filter((text) => isTokenLike(text) && !shownFirst.has(text)));
}

/** Returns the texts of creates after a complete list of every space: no earlier resource has them. */
function textsOfCreates(history: History, create: Operation): string[] {
  const { head, entries } = history;
  const complete = completeReads(history, create);
  return entries
    .filter(
      (entry) =>
        entry.operation === create &&
        head.spaces.every((space) =>
          complete.some((page) => page.space === space && page.ended < entry.begun),
        ),
    )
    .flatMap((entry) => textsIn(requestJson(entry)));
}

function textsShownFirst(entries: readonly Entry[]): Set<string> {
  const sent = new Set<string>();
  const shownFirst = new Set<string>();
  for (const entry of entries) {
    for (const text of textsIn(requestJson(entry))) sent.add(text);
    for (const text of textsIn(responseJson(entry))) if (!sent.has(text)) shownFirst.add(text);
  }
  return shownFirst;
}

/** Returns the last pages of the list reads that show every resource that this create makes. */
function completeReads(history: History, create: Operation): Entry[] {
  const { spec, entries, lists } = history;
  const named = namedListsOf(spec, create);
  const reads = listsOf(spec, create).flatMap((list) => lists.reads(list));
  return [
    ...reads
      .filter(({ end, filters }) => end === "last-page" && filters.length === 0)
      .flatMap(({ pages }) => pages.at(-1)?.entry ?? []),
    ...entries.filter(
      (entry) =>
        entry.operation !== null &&
        named.includes(entry.operation) &&
        entry.request.query.length === 0 &&
        isLastPage(entry),
    ),
  ];
}
