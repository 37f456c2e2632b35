import { isOfRun } from "./duties.ts";
import { type Entry, endOf, type Head } from "./entry.ts";
import { type FieldValues, isTelling } from "./field-values.ts";
import type { OwnResource } from "./own-resource.ts";
import type { Sighting, Standing, Write } from "./sightings.ts";

/**
 * Returns how well a wrong sighting is established:
 * - `proven`: the answer to an update lacks the sent value; a resource of the run shows a distinctive value
 * that it never had; or an old value shows after the consistency timeout.
 * - `suspected`: somebody else may have changed a boolean, null, an empty value, or a field of a fixture.
 * - `open`: an old value within the timeout, or any value of a field that was unknown before the update.
 */
export function standingOf(
  { duty, field, shown, by, write, view, expected }: Sighting,
  { had, hadUnknown, owner, writes }: OwnResource,
  values: FieldValues,
  { isFromRejected, isLively, isOneWay }: { isFromRejected: boolean; isLively: boolean; isOneWay: boolean },
  { consistencyTimeoutMs, runTag }: Head,
): Standing {
  if (duty === "echo") return "proven";
  // A service chooses the meaning of null, but invents no text with the run tag.
  const isOwnText = isOfRun(shown, runTag);
  const hasHad = (had.get(field) ?? []).some(
    (candidate) => !(candidate.value === null && isOwnText) && values.fits(field, candidate, shown),
  );
  const isOld = hasHad || (hadUnknown.has(field) && view.shows !== "answer");
  const stoodStill = write !== null && isFirstOfItsKind(writes, write) && expected.reads > 1;
  const isSwitched = typeof shown === "boolean" || shown === null;
  // After a one-way change, the service may go on to another state, but nobody can take the change back.
  if (isOneWay && !isOld) return expected.reads > 0 || isSwitched ? "open" : "suspected";
  const isCertain =
    isOneWay || (stoodStill && !isSwitched) || (isTelling(shown) && (owner === "run" || isFromRejected));
  // A field that may change by itself must have been stable before, else the update is not to blame.
  if (isLively && !isFromRejected && !(stoodStill && view.shows !== "answer")) return "open";
  if (!isOld) return isCertain ? "proven" : "suspected";
  // The timeout is for reads and lists, not for the answer to an update.
  if (view.shows === "answer") return isOneWay ? "proven" : "suspected";
  const since = isOneWay ? expected.setBy : write;
  if (since !== null && by.startedAt - endOf(since) < consistencyTimeoutMs) return "open";
  return isCertain ? "proven" : "suspected";
}

/** The effect of the first update of a field may not happen again, so a confirmation can't show it. */
function isFirstOfItsKind(writes: readonly Write[], write: Entry): boolean {
  const accepted = writes.filter(({ outcome }) => outcome === "accepted");
  const own = accepted.find(({ entry }) => entry === write);
  const before = accepted.filter(({ entry }) => entry.index < write.index);
  return (
    own !== undefined && Object.keys(own.sent).some((name) => before.every(({ sent }) => !(name in sent)))
  );
}
