import type { Operation, Spec } from "../../spec/model/spec.ts";
import { type Entry, endOf, isRejected } from "../entry.ts";
import { listsOf } from "./lists-of-creates.ts";

interface Reached {
  begun: number;
  /** Milliseconds since 1970, until which copies may lack this create or an earlier one. */
  until: number;
}

/** Returns a function that is true for a read of the list that may lack a resource of the run. */
export function latenessOf(
  spec: Spec,
  list: Operation,
  entries: readonly Entry[],
  consistencyTimeoutMs: number,
): (read: Entry) => boolean {
  const creates = entries.filter((entry) => addsTo(spec, list, entry));
  const reached: Reached[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const create of creates.sort((one, other) => one.begun - other.begun)) {
    until = Math.max(until, endOf(create) + consistencyTimeoutMs);
    reached.push({ begun: create.begun, until });
  }
  return ({ ended, startedAt }) => {
    const last = reached.findLast(({ begun }) => begun < ended);
    return last !== undefined && startedAt < last.until;
  };
}

/** True if the entry may have added an item. A create without a response may have; updates add none. */
function addsTo(spec: Spec, list: Operation, entry: Entry): boolean {
  const { operation } = entry;
  return operation?.kind === "create" && !isRejected(entry) && listsOf(spec, operation).includes(list);
}
