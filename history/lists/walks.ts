import { idText } from "../../spec/identity.ts";
import { isObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import { type Entry, isAccepted, itemsIn, responseJson } from "../entry.ts";

/** Returns when the first walk with each opaque cursor began. A walk may show the list as it was then. */
export const walksIn = memoized((entries: readonly Entry[]): ReadonlyMap<Entry, number> => {
  const begun = new Map<string, number>();
  const walks = new Map<Entry, number>();
  for (const entry of entries) {
    const { operation, request, space } = entry;
    const after = operation?.list?.after?.name;
    if (!operation || after === undefined || !isAccepted(entry)) continue;
    const placeOf = (cursor: string) => JSON.stringify([operation.id, space, cursor]);
    const [, cursor] = request.query.find(([name]) => name === after) ?? [];
    const walk = cursor === undefined ? undefined : begun.get(placeOf(cursor));
    if (walk !== undefined) walks.set(entry, walk);
    const next = opaqueNext(entry);
    if (next !== undefined && !begun.has(placeOf(next))) begun.set(placeOf(next), walk ?? entry.begun);
  }
  return walks;
});

/** Returns the next cursor, unless it is an id of an item. An id of an item can't say when a walk began. */
function opaqueNext(entry: Entry): string | undefined {
  const json = responseJson(entry);
  const { pagination } = isObject(json) ? json : {};
  const { next } = isObject(pagination) ? pagination : {};
  const isOfItem = itemsIn(entry).some((item) => Object.values(item).some((value) => idText(value) === next));
  return typeof next !== "string" || isOfItem ? undefined : next;
}
