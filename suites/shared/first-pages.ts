import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "./followed-lists.ts";

export function firstPages({ lists }: History, list: Operation): ListPage[] {
  return lists.pages(list).filter((page) => page.cursor === null && isUnfiltered(list, page));
}

export function firstPagesOfRound(history: History, list: Operation): ListPage[] {
  return firstPages(history, list).filter(history.lists.isOfRound);
}
