/** How far a mismatch is established by the history alone. */

import type { Entry, Head } from "./entry.ts";
import { type FieldValues, isTelling } from "./field-values.ts";
import type { OwnResource } from "./own-resource.ts";
import type { Sighting, Standing } from "./sightings.ts";

/**
 * `proven`: the answer to an update does not show what it sent; a telling value that an own resource never had; or an
 * older value of it after the consistency timeout. A switch, null, an empty value and the fields of a fixture may be
 * changed by the service or by others, so they are only `suspected`; unless they stood still until the first update
 * of the run, which can't be repeated. An older value within the timeout is `open`.
 */
export function standingOf(
  { duty, field, shown, by, write, view, expected }: Sighting,
  { had, owner, writes }: OwnResource,
  values: FieldValues,
  isFromRejected: boolean,
  { consistencyTimeoutMs }: Head,
): Standing {
  if (duty === "echo") return "proven";
  const isOld = (had.get(field) ?? []).some((candidate) => values.fits(field, candidate, shown));
  const isFirst = write !== null && writes.find(({ outcome }) => outcome === "accepted")?.entry === write;
  const stoodStill = isFirst && expected.reads > 1;
  const isSwitched = typeof shown === "boolean" || shown === null;
  const isCertain = (stoodStill && !isSwitched) || (isTelling(shown) && (owner === "run" || isFromRejected));
  if (!isOld) return isCertain ? "proven" : "suspected";
  // The consistency timeout is for reads and lists, not for the answer to an update.
  if (view.shows === "answer") return "suspected";
  if (write !== null && by.startedAt - endOf(write) < consistencyTimeoutMs) return "open";
  return isCertain ? "proven" : "suspected";
}

function endOf({ startedAt, durationMs }: Entry): number {
  return startedAt + durationMs;
}
