import { holdsRunTag } from "./duties.ts";
import { type Entry, type Head, startsWithin } from "./entry.ts";
import { type FieldValues, isDistinctive } from "./field-values.ts";
import type { Sighting, Standing, Write } from "./sightings.ts";
import type { TrackedResource } from "./tracked-resource.ts";

interface MismatchFacts {
  /** True if a rejected update sent the shown value. */
  isFromRejected: boolean;
  /** True if the write must not have changed the field, or sent another value. */
  mustShowExpected: boolean;
  isFixed: boolean;
}

/**
 * Returns the certainty with which a sighting shows a wrong value:
 * - `proven`: the answer to an update lacks the sent value; a resource of the run shows a distinctive value that it
 * never had; a field shows what the update sent for another field; or an old value shows after the consistency
 * timeout.
 * - `suspected`: the service or another client may have changed it: a boolean, null, an empty value, a list that was
 * set to null, or any field of a fixture that shows no text of the run.
 * - `open`: an old value within the timeout, or any value of a field that was unknown before the update.
 */
export function standingOf(
  mismatch: Sighting,
  resource: TrackedResource,
  values: FieldValues,
  { isFromRejected, mustShowExpected, isFixed }: MismatchFacts,
  head: Head,
): Standing {
  const { duty, field, shown, by, write, view } = mismatch;
  if (duty === "echo") return "proven";
  // Nobody may change a fixed field (`createTime`), so two different reads need no confirmation.
  if (isFixed && view.shows === "read" && mismatch.expected.reads > 0) return "proven";
  const isOld = mayBeOld(mismatch, resource, values, head);
  if (resource.oneWay?.field === field) return standingAfterOneWay(mismatch, isOld, head);
  if (mismatch.isCopy && !isOld) return "proven";
  const isAnswer = view.shows === "answer";
  const wasStable =
    write !== null && isFirstOfItsFields(resource.writes, write) && mismatch.expected.reads > 1;
  // If the field may change by itself, a mismatch counts only if the field was stable before the update.
  if (!mustShowExpected && !isFromRejected && (isAnswer || !wasStable)) return "open";
  // The consistency timeout is for reads and lists. The answer to an update can't be late.
  if (isOld && isAnswer) return "suspected";
  // The timeout begins when the field was set. Later updates of other fields do not prolong it.
  const replacedBy = mismatch.expected.setBy ?? write;
  if (isOld && replacedBy && startsWithin(by, replacedBy, head.consistencyTimeoutMs)) return "open";
  // If the last write sent null, the service chooses the list, and may change it once more.
  if (Array.isArray(shown) && !isFromRejected && resource.lastSent(field) === null) return "suspected";
  if (wasStable && !isBooleanOrNull(shown)) return "proven";
  // Other clients may write to a fixture, but none of them writes a text of this run.
  const isOfThisRun = resource.owner === "run" || isFromRejected || holdsRunTag(shown, head.runTag);
  return isDistinctive(shown) && isOfThisRun ? "proven" : "suspected";
}

/** After a one-way change, the service may move the field to another state, but nobody can take the change back. */
function standingAfterOneWay({ shown, by, view, expected }: Sighting, isOld: boolean, head: Head): Standing {
  if (!isOld) return expected.reads > 0 || isBooleanOrNull(shown) ? "open" : "suspected";
  const { setBy } = expected;
  const isLate = view.shows !== "answer" && setBy && startsWithin(by, setBy, head.consistencyTimeoutMs);
  return isLate ? "open" : "proven";
}

function mayBeOld(
  { field, shown, view }: Sighting,
  { formerValues, hadUnknown }: TrackedResource,
  values: FieldValues,
  { runTag }: Head,
): boolean {
  if (hadUnknown.has(field) && view.shows !== "answer") return true;
  // A service may store any value for a sent null, but no text with the run tag.
  const isOwnText = holdsRunTag(shown, runTag);
  return (formerValues.get(field) ?? []).some(
    (candidate) => !(candidate.value === null && isOwnText) && values.fits(field, candidate, shown),
  );
}

function isBooleanOrNull(shown: unknown): boolean {
  return typeof shown === "boolean" || shown === null;
}

/**
 * True if the update sends a field that no accepted update sent before. A service may go wrong only at the first
 * update of a field, so a confirmation may not show it.
 */
function isFirstOfItsFields(writes: readonly Write[], write: Entry): boolean {
  const accepted = writes.filter(({ outcome }) => outcome === "accepted");
  const own = accepted.find(({ entry }) => entry === write);
  const before = accepted.filter(({ entry }) => entry.index < write.index);
  return (
    own !== undefined && Object.keys(own.sent).some((name) => before.every(({ sent }) => !(name in sent)))
  );
}
