/** Idempotency keys and unique values, with the accepted creates that used them. */

import { identityOf } from "../spec/identity.ts";
import { canonicalJson, isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, type Head, header, isOrdinary, isRejected, requestJson, resourceIn } from "./entry.ts";

/** A create as it was sent. */
export interface SentCreate {
  entry: Entry;
  key: string | undefined;
  /** The body in one spelling; undefined if it is not a JSON object. */
  body: string | undefined;
  sent: JsonObject;
}

/** An accepted create with its resource. */
export interface Use extends SentCreate {
  /** The resource that the answer shows. */
  made: JsonObject;
  id: string;
}

/** The accepted creates of an operation in the user's own spaces, in order. */
export function acceptedCreates(spec: Spec, create: Operation, head: Head, entries: readonly Entry[]): Use[] {
  const identity = identityOf(spec, create);
  return entries.flatMap((entry): Use[] => {
    if (entry.operation !== create || !isOrdinary(entry, head)) return [];
    const made = resourceIn(entry);
    const id = made?.[identity];
    if (made === undefined || (typeof id !== "string" && typeof id !== "number")) return [];
    return [{ ...sentBy(create, entry), made, id: String(id) }];
  });
}

/** The rejected creates of an operation in the user's own spaces, in order. */
export function rejectedCreates(create: Operation, head: Head, entries: readonly Entry[]): SentCreate[] {
  return entries
    .filter((entry) => entry.operation === create && isRejected(entry) && isOrdinary(entry, head))
    .map((entry) => sentBy(create, entry));
}

function sentBy({ idempotencyKey }: Operation, entry: Entry): SentCreate {
  const sent = requestJson(entry);
  const key = idempotencyKey && header(entry.request.headers, idempotencyKey.name);
  return isObject(sent)
    ? { entry, key, body: canonicalJson(sent), sent }
    : { entry, key, body: undefined, sent: {} };
}

/** The uses grouped by a shared value, such as a key, in one space. Uses without the value are in no group. */
export function usesBy(uses: readonly Use[], shared: (use: Use) => string | undefined): Use[][] {
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const value = shared(use);
    if (value === undefined) continue;
    const place = `${use.entry.space} ${value}`;
    groups.set(place, [...(groups.get(place) ?? []), use]);
  }
  return [...groups.values()];
}
