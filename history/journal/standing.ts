import { isObject } from "../../spec/json.ts";
import { type Entry, type Head, startsWithin } from "../entry.ts";
import { holdsRunTag } from "../values/tags.ts";
import { type FieldValues, isDistinctive } from "./field-values.ts";
import type { Sighting, Standing, Write } from "./sightings.ts";
import type { TrackedResource } from "./tracked-resource.ts";

type SeenField = Pick<Sighting, "by" | "field" | "shown" | "view" | "expected">;

interface MismatchFacts {
  /** True if a rejected update sent the shown value. */
  isFromRejected: boolean;
  /** True if the write must keep the field, or sent another value. */
  mustShowExpected: boolean;
  isFixed: boolean;
  changesOnlyIfSent: boolean;
}

/**
 * Returns how certain a mismatch is:
 * - `proven`: an update's answer lacks the sent value, a resource of the run shows a new distinctive value or
 * another field's text, or an old value outlasts the timeout.
 * - `suspected`: the service or another client may have changed it (a boolean, null, a fixture).
 * - `open`: the value may be an old one within the timeout.
 */
export function standingOf(
  mismatch: Sighting,
  resource: TrackedResource,
  values: FieldValues,
  { isFromRejected, mustShowExpected, isFixed, changesOnlyIfSent }: MismatchFacts,
  head: Head,
): Standing {
  const { duty, field, shown, by, write, view } = mismatch;
  if (duty === "echo") return "proven";
  // Nobody may change a fixed field, so a read of another value is proof.
  if (isFixed && view.shows === "read" && mismatch.expected.reads > 0) return "proven";
  const isOld = mayBeOld(mismatch, resource, values, head);
  if (resource.oneWay?.field === field) return standingAfterOneWay(mismatch, isOld, head);
  if (mismatch.isCopy && !isOld) return "proven";
  const isAnswer = view.shows === "answer";
  const wasStable =
    write !== null && isFirstOfItsFields(resource.writes, write) && mismatch.expected.reads > 1;
  // If the field may change by itself, it must have been stable before the update.
  if (!mustShowExpected && !isFromRejected && (isAnswer || !wasStable)) return "open";
  // The answer to an update can't be late.
  if (isOld && isAnswer) return "suspected";
  // Later updates of other fields do not prolong the timeout.
  const replacedBy = mismatch.expected.setBy ?? resource.forgottenBy(field) ?? write;
  const isEarly = replacedBy && startsWithin(by, replacedBy, head.consistencyTimeoutMs);
  if (isOld && isEarly) return "open";
  // After null, the service chooses the list, and may change it again.
  if (Array.isArray(shown) && !isFromRejected && resource.lastSent(field) === null) return "suspected";
  if (wasStable && !isBooleanOrNull(shown)) return "proven";
  // Other clients write to fixtures, but never a text of this run.
  const isOfThisRun = resource.owner === "run" || isFromRejected || holdsRunTag(shown, head.runTag);
  // Nobody else empties a resource of the run.
  const isEmptied = changesOnlyIfSent && !isEarly && isEmpty(shown) && resource.owner === "run";
  return (isDistinctive(shown) && isOfThisRun) || isEmptied ? "proven" : "suspected";
}

/** True if a read or list may show a value from before the update that set the field. */
export function mayBeLate(
  { by, field, shown, view, expected: { setBy } }: SeenField,
  resource: TrackedResource,
  values: FieldValues,
  head: Head,
): boolean {
  if (view.shows === "answer" || !setBy || !startsWithin(by, setBy, head.consistencyTimeoutMs)) return false;
  return mayBeOld({ field, shown, view }, resource, values, head);
}

/**
 * Returns the standing of a mismatch after a one-way change. The service may change the state, but nobody can
 * take the one-way change back.
 */
function standingAfterOneWay({ shown, by, view, expected }: Sighting, isOld: boolean, head: Head): Standing {
  if (!isOld) return expected.reads > 0 || isBooleanOrNull(shown) ? "open" : "suspected";
  const { setBy } = expected;
  const isLate = view.shows !== "answer" && setBy && startsWithin(by, setBy, head.consistencyTimeoutMs);
  return isLate ? "open" : "proven";
}

function mayBeOld(
  { field, shown, view }: Pick<Sighting, "field" | "shown" | "view">,
  { formerValues, hadUnknown }: TrackedResource,
  values: FieldValues,
  { runTag }: Head,
): boolean {
  if (hadUnknown.has(field) && view.shows !== "answer") return true;
  // A service may store anything for null, except a text of the run.
  const isOwnText = holdsRunTag(shown, runTag);
  return (formerValues.get(field) ?? []).some(
    (candidate) => !(candidate.value === null && isOwnText) && values.fits(field, candidate, shown),
  );
}

function isEmpty(shown: unknown): boolean {
  return Array.isArray(shown) ? shown.length === 0 : isObject(shown) && Object.keys(shown).length === 0;
}

function isBooleanOrNull(shown: unknown): boolean {
  return typeof shown === "boolean" || shown === null;
}

/** True if no earlier accepted update sent a field of this one. The first update of a field may go wrong. */
function isFirstOfItsFields(writes: readonly Write[], write: Entry): boolean {
  const accepted = writes.filter(({ outcome }) => outcome === "accepted");
  const own = accepted.find(({ entry }) => entry === write);
  const before = accepted.filter(({ entry }) => entry.index < write.index);
  return (
    own !== undefined && Object.keys(own.sent).some((name) => before.every(({ sent }) => !(name in sent)))
  );
}
