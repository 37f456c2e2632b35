/** Finds accepted requests that are sent again beside those of a violation. */

import {
  type Entry,
  hasSameCaller,
  isAccepted,
  isRejected,
  isWrite,
  pathId,
  requestJson,
  sentIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";

/**
 * Returns an accepted update of the same resource, if the offending entry is a rejected update. One with values for all
 * its fields is preferred.
 */
export function acceptedLike(offending: Entry, { entries }: History): Entry | undefined {
  if (!isRejected(offending) || offending.operation?.kind !== "update") return undefined;
  const accepted = entries.filter(
    (entry) =>
      entry.request.url === offending.request.url &&
      entry.operation === offending.operation &&
      isAccepted(entry) &&
      hasSameCaller(offending, entry),
  );
  const hasAllFields = (entry: Entry) =>
    fieldsIn(offending).every((name) => (sentIn(entry, name) ?? null) !== null);
  return accepted.findLast(hasAllFields) ?? accepted.at(-1);
}

/** Returns a request that may undo an effect: a read after an update, the smallest create, or another read. */
export function resetOf(one: Entry, { entries }: History): Entry | undefined {
  const accepted = entries.filter(
    (entry) => entry.operation === one.operation && isAccepted(entry) && hasSameCaller(one, entry),
  );
  if (one.operation?.kind === "update")
    return entries.find(
      (entry) =>
        !isWrite(entry) && pathId(entry) === pathId(one) && isAccepted(entry) && hasSameCaller(one, entry),
    );
  if (one.operation?.kind === "create") return accepted.sort((a, b) => fieldCount(a) - fieldCount(b))[0];
  return accepted.findLast((entry) => entry.index < one.index && entry.request.url !== one.request.url);
}

/** Returns the first accepted create with the fields of this one, if it is a create. */
export function twinOf(one: Entry, { entries }: History): Entry | undefined {
  if (one.operation?.kind !== "create") return undefined;
  const fields = fieldsIn(one);
  return entries.find(
    (entry) =>
      entry !== one &&
      entry.operation === one.operation &&
      isAccepted(entry) &&
      hasSameCaller(one, entry) &&
      fields.every((name) => fieldsIn(entry).includes(name)),
  );
}

function fieldCount(entry: Entry): number {
  return fieldsIn(entry).length;
}

function fieldsIn(entry: Entry): string[] {
  return Object.keys(requestJson(entry) ?? {});
}
