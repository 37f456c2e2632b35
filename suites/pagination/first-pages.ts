import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

export function firstPages({ lists: { pages, isOfRound } }: History, list: Operation): ListPage[] {
  return pages(list).filter((page) => page.cursor === null && isOfRound(page) && isUnfiltered(list, page));
}
