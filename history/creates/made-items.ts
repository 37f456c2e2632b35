import { addTo } from "../../spec/grouped.ts";
import { memoized } from "../../spec/memoized.ts";
import { operationsOf } from "../../spec/operations.ts";
import type { Entry } from "../entry.ts";
import type { History } from "../history.ts";
import { createsOf } from "./keys.ts";

/** Returns the creates by the id that they made. Resources of several kinds or parents may have one id. */
export const createsById = memoized(({ spec, head, context }: History): ReadonlyMap<string, Entry[]> => {
  const found = new Map<string, Entry[]>();
  for (const create of operationsOf(spec, "create"))
    for (const { id, entry } of createsOf(spec, create, head, context).accepted) addTo(found, id, entry);
  return found;
});
