import { isObject } from "../spec/json.ts";
import type { Spec } from "../spec/model/spec.ts";
import { type Entry, isAccepted, requestJson, resourceIn } from "./entry.ts";
import type { ResourceKind } from "./resource-kinds.ts";

/**
 * Returns a function that is true for values that only the service knows to be good, such as mail addresses,
 * if it took each of them before: an accepted write sent it, and the answer shows it.
 */
export function takenValues(
  spec: Spec,
  { create, updates }: ResourceKind,
  entries: readonly Entry[],
): (field: string, value: unknown) => boolean {
  const writes = new Map([...(create ? [create] : []), ...updates].map((write) => [write, write.body]));
  const found = new Map<string, Set<unknown>>();
  for (const entry of entries) {
    const body = entry.operation === null ? undefined : writes.get(entry.operation);
    const [sent, shown] = [requestJson(entry), resourceIn(entry)];
    if (!body || !isAccepted(entry) || !isObject(sent) || !shown) continue;
    for (const [name, { "x-values-from": from }] of spec.schemas.fields(body)) {
      if (!from) continue;
      const showed = membersOf(shown[name]);
      const known = found.get(name) ?? new Set();
      found.set(name, known);
      for (const member of membersOf(sent[name])) if (showed.includes(member)) known.add(member);
    }
  }
  return (field, value) => membersOf(value).every((member) => found.get(field)?.has(member));
}

function membersOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
