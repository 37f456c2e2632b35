import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "./followed-lists.ts";

/** Returns the unfiltered first pages of the list. */
export function firstPages({ lists }: History, list: Operation): ListPage[] {
  return lists.pages(list).filter((page) => page.cursor === null && isUnfiltered(list, page));
}

/** Returns the unfiltered first pages of this round alone. */
export function firstPagesOfRound(history: History, list: Operation): ListPage[] {
  return firstPages(history, list).filter(history.lists.isOfRound);
}
