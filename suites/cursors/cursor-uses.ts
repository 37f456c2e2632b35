import type { History } from "../../history/history.ts";
import { type PagePair, repeatedPages } from "../../history/pairs.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { largestSize } from "../../spec/page-sizes.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";

export function cursorUses({ lists }: History, list: Operation): PagePair[] {
  const isBeginning = ({ size, cursor }: PagePair["first"]) => cursor === null && size === largestSize(list);
  return repeatedPages(lists.pages(list), isBeginning).filter(
    ({ again }) => again.cursor !== null && lists.isOfRound(again) && isUnfiltered(list, again),
  );
}

export function hasSameItems({ first, again }: PagePair): boolean {
  return again.answer === "shown" && sameJson([...first.ids].sort(), [...again.ids].sort());
}

/** An older cursor may be rejected, because the specification states no lifetime. */
const FRESH_MS = 1_000;

export function showsOtherItems(use: PagePair): boolean {
  const isOld = use.again.answer === "rejected" && (use.cursorAgeMs ?? FRESH_MS) >= FRESH_MS;
  return use.listState === "unchanged" && !isOld && !hasSameItems(use);
}
