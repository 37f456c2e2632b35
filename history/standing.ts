import { type Entry, endOf, type Head } from "./entry.ts";
import { type FieldValues, isTelling } from "./field-values.ts";
import type { OwnResource } from "./own-resource.ts";
import type { Sighting, Standing, Write } from "./sightings.ts";

/**
 * `proven`: an answer to an update does not show what it sent, or a telling value that an own resource never
 * had, or an older value after the consistency timeout. Others may change a switch, null, an empty value and a
 * fixture, so these are only `suspected`. But they are `proven` if they were stable until the first update of
 * some field, which can't be repeated. An older value within the timeout is `open`, and so is any value of a
 * field that was unknown before the update.
 */
export function standingOf(
  { duty, field, shown, by, write, view, expected }: Sighting,
  { had, hadUnknown, owner, writes }: OwnResource,
  values: FieldValues,
  { isFromRejected, isLively }: { isFromRejected: boolean; isLively: boolean },
  { consistencyTimeoutMs }: Head,
): Standing {
  if (duty === "echo") return "proven";
  const hasHad = (had.get(field) ?? []).some((candidate) => values.fits(field, candidate, shown));
  const isOld = hasHad || (hadUnknown.has(field) && view.shows !== "answer");
  const stoodStill = write !== null && isFirstOfItsKind(writes, write) && expected.reads > 1;
  const isSwitched = typeof shown === "boolean" || shown === null;
  const isCertain = (stoodStill && !isSwitched) || (isTelling(shown) && (owner === "run" || isFromRejected));
  // A volatile field may change at any time. It is held against an update only if it never changed before or
  // after.
  if (isLively && !isFromRejected && !(stoodStill && view.shows !== "answer")) return "open";
  if (!isOld) return isCertain ? "proven" : "suspected";
  // The consistency timeout applies to reads and lists, not to the answer to an update.
  if (view.shows === "answer") return "suspected";
  if (write !== null && by.startedAt - endOf(write) < consistencyTimeoutMs) return "open";
  return isCertain ? "proven" : "suspected";
}

/** A one-time change may not happen again at the next update. */
function isFirstOfItsKind(writes: readonly Write[], write: Entry): boolean {
  const accepted = writes.filter(({ outcome }) => outcome === "accepted");
  const own = accepted.find(({ entry }) => entry === write);
  const before = accepted.filter(({ entry }) => entry.index < write.index);
  return (
    own !== undefined && Object.keys(own.sent).some((name) => before.every(({ sent }) => !(name in sent)))
  );
}
