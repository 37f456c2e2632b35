import type { Spec } from "../../spec/model/spec.ts";
import { type Entry, isAccepted, overlaps } from "../entry.ts";
import type { ResourceKind, View } from "../resource-kinds.ts";
import { holdsRunTag } from "../values/tags.ts";
import { acceptsField, changesOnlyIfSent, mayChangeByItself, mustKeepUnsent } from "./field-changes.ts";
import { type FieldValues, isDistinctive } from "./field-values.ts";
import type { Duty, FieldState, Write } from "./sightings.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** A duty, and the write held responsible if it is broken. */
export interface OwedDuty {
  duty: Duty;
  write: Entry;
}

export interface ExpectedField {
  kind: ResourceKind;
  resource: TrackedResource;
  view: View;
  field: string;
  expected: FieldState & { is: "known" };
  by: Entry;
  writes: readonly { id: string; write: Write }[];
}

/** Duties of fields that no update sent a value for since they were shown. */
const UNWRITTEN: ReadonlySet<Duty> = new Set(["made", "stable", "stored"]);

/** Returns the duties of the field. A duty is left out if the field may have changed by itself. */
export function judgedDuties(spec: Spec, expectedField: ExpectedField): OwedDuty[] {
  const { kind, field, resource, expected } = expectedField;
  const isVolatile = resource.volatile.has(field);
  return dutiesOf(spec, expectedField).filter(({ duty, write }) => {
    if (duty === "echo" || (duty === "stored" && expected.setBy)) return true;
    if (UNWRITTEN.has(duty)) return changesOnlyIfSent(spec, kind, field);
    if (isVolatile) return false;
    return !mayChangeByItself(spec, kind, field) || mustKeepUnsent(spec, kind, field, write.operation);
  });
}

/** Returns the duties of the field. A mismatch is held against the write of the first. */
function dutiesOf(spec: Spec, expectedField: ExpectedField): OwedDuty[] {
  const { kind, resource, view, field, expected, by } = expectedField;
  const { setBy, lastShown } = expected;
  if (setBy === by) return owedTo("echo", by);
  const { updated, rejected, other } = writesSince(spec, expectedField);
  const hasRead = () => [...kind.views.values()].some(({ shows }) => shows === "read");
  if (view.shows === "list" && hasRead())
    return owedTo("agrees", updated ?? setBy ?? lastAccepted(resource.writes) ?? other);
  const isUnwritten = !updated && !setBy && !other && rejected.length === 0;
  if (isUnwritten) {
    if (resource.made === lastShown) return owedTo("made", lastShown);
    // Null may mean anything, but reads must show the same as the answer to it.
    const isNulled = resource.writes.some(({ entry, sent }) => entry === lastShown && sent[field] === null);
    return owedTo(isNulled ? "stored" : "stable", lastShown);
  }
  const stored = owedTo("stored", setBy);
  const keptByOther = owedTo("kept", other);
  // If the value was shown once, a write of another resource more likely changed it.
  const wasShown = setBy && lastShown && lastShown !== setBy && lastShown.ended > setBy.ended;
  return [
    ...owedTo("kept", updated),
    ...rejected.toReversed().flatMap((write) => owedTo("no-effect", write)),
    ...(wasShown ? [...keptByOther, ...stored] : [...stored, ...keptByOther]),
  ];
}

function owedTo(duty: Duty, write: Entry | null | undefined): OwedDuty[] {
  return write ? [{ duty, write }] : [];
}

interface WritesSince {
  /** The last accepted update that did not send the field, or does not take it. */
  updated: Entry | undefined;
  rejected: Entry[];
  /** The last accepted update of another resource. */
  other: Entry | undefined;
}

/** Returns the writes since the field was last known: those to the resource itself and those to others. */
function writesSince(spec: Spec, { kind, resource, field, expected, writes }: ExpectedField): WritesSince {
  const { setBy, lastShown } = expected;
  // A service may store a field that the update does not take, if other writes may change it, too.
  const maySet = ({ entry, sent }: Write) =>
    field in sent &&
    isAccepted(entry) &&
    (!changesOnlyIfSent(spec, kind, field) ||
      (entry.operation !== null && acceptsField(spec, entry.operation, field)));
  const knownUntil = Math.max(setBy?.ended ?? -1, lastShown?.ended ?? -1);
  const later = writes.slice(writes.findLastIndex(({ write }) => write.entry.ended <= knownUntil) + 1);
  const others = later.filter(({ id }) => id !== resource.id).map(({ write }) => write);
  const own = later
    .filter(({ id }) => id === resource.id)
    .map(({ write }) => write)
    .filter((write) => !maySet(write) && !(setBy && overlaps(write.entry, setBy)));
  return {
    updated: lastAccepted(own),
    rejected: own.filter(({ outcome }) => outcome === "rejected").map(({ entry }) => entry),
    other: lastAccepted(others),
  };
}

function lastAccepted(writes: readonly Write[]): Entry | undefined {
  return writes.findLast(({ outcome }) => outcome === "accepted")?.entry;
}

/** Returns the last rejected update that sent the value, unless another write explains it. */
export function rejectedSender(
  { resource, field, by, expected }: Pick<ExpectedField, "resource" | "field" | "by" | "expected">,
  shown: unknown,
  values: FieldValues,
  runTag: string | null,
): Entry | undefined {
  const isShown = ({ sent }: Write) => {
    if (!(field in sent)) return false;
    if (sent[field] === null && holdsRunTag(shown, runTag)) return false;
    return values.fits(field, { value: sent[field], form: "sent" }, shown);
  };
  const senders = resource.writes.filter((write) => write.entry.begun < by.ended && isShown(write));
  if (senders.some(({ outcome }) => outcome !== "rejected")) return undefined;
  const sender = senders.at(-1)?.entry;
  if (!sender) return undefined;
  const isSetSince = expected.setBy && expected.setBy.ended > sender.begun;
  const isUpdatedSince = resource.writes.some(
    ({ entry, outcome }) => outcome !== "rejected" && entry.ended > sender.begun,
  );
  // The later update may have set the field. Masked secrets all look alike.
  const isFromSender = isDistinctive(shown) && !values.isSecret(field);
  return (isSetSince || isUpdatedSince) && !isFromSender ? undefined : sender;
}
