import { identityOf } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Entry, header, isOrdinary, itemsIn } from "../entry.ts";
import type { History } from "../history.ts";
import { tagsIn } from "../values/tags.ts";
import { listsOf, namedListsOf } from "./lists-of-creates.ts";

export interface ListedItem {
  id: string;
  item: JsonObject;
  tags: string[];
  page: Entry;
  space: string | null;
}

/** Returns each item that a list shows of the resources that this create makes, with the page that shows it. */
export const listedItems: (history: History, create: Operation) => readonly ListedItem[] = memoized(itemsOf);

function itemsOf({ spec, head, entries }: History, create: Operation): ListedItem[] {
  const lists = [...listsOf(spec, create), ...namedListsOf(spec, create)];
  return entries.flatMap((page): ListedItem[] => {
    const { operation } = page;
    if (!operation || !lists.includes(operation) || !isOrdinary(page, head)) return [];
    const identity = operation.list?.identity ?? identityOf(spec, create);
    const space = (create.space && header(page.request.headers, create.space.name)) ?? page.space;
    return itemsIn(page).map((item) => ({
      id: String(item[identity]),
      item,
      tags: tagsIn(head, item),
      page,
      space,
    }));
  });
}
