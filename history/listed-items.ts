import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, header, isAccepted, isOrdinary, responseJson } from "./entry.ts";
import type { History } from "./history.ts";
import { listsOf, namedListsOf } from "./lists-of-creates.ts";
import { memoized } from "./memoized.ts";
import { tagsIn } from "./tags.ts";

export interface ListedItem {
  id: string;
  item: JsonObject;
  tags: string[];
  page: Entry;
  space: string | null;
}

export const listedItems: (history: History, create: Operation) => readonly ListedItem[] = memoized(itemsOf);

function itemsOf({ spec, head, entries }: History, create: Operation): ListedItem[] {
  const lists = [...listsOf(spec, create), ...namedListsOf(spec, create)];
  return entries.flatMap((page): ListedItem[] => {
    const { operation } = page;
    if (!operation || !lists.includes(operation) || !isOrdinary(page, head) || !isAccepted(page)) return [];
    const json = responseJson(page);
    const items = isObject(json) && Array.isArray(json.result) ? json.result.filter(isObject) : [];
    const identity = operation.list?.identity ?? identityOf(spec, create);
    const space = (create.space && header(page.request.headers, create.space.name)) ?? page.space;
    return items.map((item) => ({
      id: String(item[identity]),
      item,
      tags: tagsIn(head, item),
      page,
      space,
    }));
  });
}
