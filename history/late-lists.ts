import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, endOf, isRejected, isWrite } from "./entry.ts";
import { listsOf } from "./lists-of-creates.ts";
import { kindOfUpdate } from "./resource-kinds.ts";

interface Reached {
  begun: number;
  /** Milliseconds since 1970, until which copies may lack this write or an earlier one. */
  until: number;
}

/** Returns a function that is true for a read of the list that may lack a write of the run. */
export function latenessOf(
  spec: Spec,
  list: Operation,
  entries: readonly Entry[],
  consistencyTimeoutMs: number,
): (read: Entry) => boolean {
  const writes = entries.filter((entry) => changes(spec, list, entry));
  const reached: Reached[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const write of writes.sort((one, other) => one.begun - other.begun)) {
    until = Math.max(until, endOf(write) + consistencyTimeoutMs);
    reached.push({ begun: write.begun, until });
  }
  return ({ ended, startedAt }) => {
    const last = reached.findLast(({ begun }) => begun < ended);
    return last !== undefined && startedAt < last.until;
  };
}

/** Writes without a response may have had an effect. */
function changes(spec: Spec, list: Operation, entry: Entry): boolean {
  const { operation } = entry;
  if (!operation || !isWrite(entry) || isRejected(entry)) return false;
  const kind = kindOfUpdate(spec, operation);
  return kind ? kind.views.has(list.id) : listsOf(spec, operation).includes(list);
}
