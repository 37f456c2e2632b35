/** Updates of a history, each with what was shown of its resource before and after it. */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, isAccepted, requestJson } from "./entry.ts";
import { pathId, type ResourceKind, resourceKinds, shownBy } from "./resource-kinds.ts";

export interface SeenUpdate {
  entry: Entry;
  sent: JsonObject;
  accepted: boolean;
  /** What its own answer shows of the resource; undefined if it does not show it. */
  answer: JsonObject | undefined;
  /** What the last read before it, and the first read after it, show. */
  before: JsonObject | undefined;
  after: JsonObject | undefined;
}

/** The updates by an operation that carry a known token, in order. */
export function updatesSeen(spec: Spec, update: Operation, entries: readonly Entry[]): SeenUpdate[] {
  const kind = resourceKinds(spec).find(({ updates }) => updates.includes(update));
  if (!kind) return [];
  const seen: SeenUpdate[] = [];
  const lastShown = new Map<string, JsonObject>();
  const waiting = new Map<string, SeenUpdate[]>();
  for (const entry of entries) {
    if (entry.credential.kind !== "token") continue;
    if (entry.operation === update) {
      const id = pathId(entry) ?? "";
      const body = requestJson(entry);
      const one: SeenUpdate = {
        entry,
        sent: isObject(body) ? body : {},
        accepted: isAccepted(entry),
        answer: shownBy(kind, entry).find((shown) => shown.id === id)?.fields,
        before: lastShown.get(id),
        after: undefined,
      };
      seen.push(one);
      // What a later update changed is no longer what this one left.
      waiting.set(id, one.accepted ? [one] : (waiting.get(id) ?? []));
    } else if (isWrite(kind, entry)) waiting.delete(pathId(entry) ?? "");
    else
      for (const { id, fields } of shownBy(kind, entry)) {
        lastShown.set(id, fields);
        for (const one of waiting.get(id) ?? []) one.after = fields;
        waiting.delete(id);
      }
  }
  return seen;
}

function isWrite({ updates }: ResourceKind, { operation }: Entry): boolean {
  return operation !== null && updates.includes(operation);
}
