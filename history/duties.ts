import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, isAccepted, overlaps } from "./entry.ts";
import { type FieldValues, isTelling } from "./field-values.ts";
import type { OwnResource } from "./own-resource.ts";
import type { ResourceKind, View } from "./resource-kinds.ts";
import type { Duty, FieldState, Write } from "./sightings.ts";

export interface Owed {
  duty: Duty;
  write: Entry;
}

export interface Seen {
  kind: ResourceKind;
  state: OwnResource;
  view: View;
  field: string;
  expected: FieldState & { is: "known" };
  by: Entry;
  writes: readonly { id: string; write: Write }[];
}

/** Returns why the field must show a value. A mismatch is held against the write of the first duty. */
function dutiesOf(seen: Seen): Owed[] {
  const { kind, state, view, expected, by } = seen;
  const { setBy, lastShown } = expected;
  if (setBy === by) return [{ duty: "echo", write: by }];
  const { updated, rejected, other } = writesSince(seen);
  if (view.shows === "list" && hasRead(kind)) {
    const last = state.writes.findLast(({ outcome }) => outcome === "accepted")?.entry;
    return owed("agrees", updated ?? setBy ?? last ?? other);
  }
  if (!updated && !setBy && !other && rejected.length === 0)
    return owed(state.made && state.made === lastShown ? "made" : "stable", lastShown);
  const isConfirmed = setBy && lastShown && lastShown !== setBy && lastShown.ended > setBy.ended;
  return [
    ...owed("kept", updated),
    ...rejected.reverse().flatMap((write) => owed("no-effect", write)),
    ...(isConfirmed ? [] : owed("stored", setBy)),
    ...owed("kept", other),
    ...(isConfirmed ? owed("stored", setBy) : []),
  ];
}

interface WritesSince {
  /** The last accepted update of the resource that did not send the field. */
  updated: Entry | undefined;
  rejected: Entry[];
  /** The last accepted update of another resource. */
  other: Entry | undefined;
}

function writesSince({ state, field, expected: { setBy, lastShown }, writes }: Seen): WritesSince {
  const since = Math.max(setBy?.ended ?? -1, lastShown?.ended ?? -1);
  const later = writes.slice(writes.findLastIndex(({ write }) => write.entry.ended <= since) + 1);
  const own = later.filter(
    ({ id, write: { entry, sent } }) =>
      id === state.id && !(field in sent && isAccepted(entry)) && !(setBy && overlaps(entry, setBy)),
  );
  const isOfOutcome = (outcome: Write["outcome"]) => (each: { write: Write }) =>
    each.write.outcome === outcome;
  return {
    updated: own.findLast(isOfOutcome("accepted"))?.write.entry,
    rejected: own.filter(isOfOutcome("rejected")).map(({ write }) => write.entry),
    other: later.filter(({ id }) => id !== state.id).findLast(isOfOutcome("accepted"))?.write.entry,
  };
}

export function judgedDuties(spec: Spec, seen: Seen): Owed[] {
  const { kind, field, state } = seen;
  const isVolatile = state.volatile.has(field);
  const isFree = isVolatile || !isJudged(spec, kind, field);
  return dutiesOf(seen).filter(({ duty, write }) => {
    if (duty === "made" || duty === "stable") return isKept(spec, kind, field);
    const isOfSent = duty === "echo" || duty === "stored";
    return !isFree || isOfSent || (!isVolatile && isLasting(spec, kind, field, write.operation));
  });
}

function owed(duty: Duty, write: Entry | null | undefined): Owed[] {
  return write ? [{ duty, write }] : [];
}

function hasRead({ views }: ResourceKind): boolean {
  return [...views.values()].some(({ shows }) => shows === "read");
}

export function rejectedSource(
  { state, field, by, expected }: Pick<Seen, "state" | "field" | "by" | "expected">,
  shown: unknown,
  values: FieldValues,
  runTag: string | null,
): Entry | undefined {
  const fits = ({ sent }: Write) =>
    field in sent &&
    !(sent[field] === null && isOfRun(shown, runTag)) &&
    values.fits(field, { value: sent[field], form: "sent" }, shown);
  const sources = state.writes.filter((write) => write.entry.begun < by.ended && fits(write));
  const source = sources.every(({ outcome }) => outcome === "rejected") ? sources.at(-1)?.entry : undefined;
  const isSetSince = source && expected.setBy && expected.setBy.ended > source.begun;
  return isSetSince && !isTelling(shown) ? undefined : source;
}

export function isOfRun(shown: unknown, runTag: string | null): boolean {
  return runTag !== null && JSON.stringify(shown ?? null).includes(runTag);
}

/** True if the field changes only when an update sends it: it has no default and no one-way value. */
export function isKept(spec: Spec, kind: ResourceKind, field: string): boolean {
  const known = kept.get(kind) ?? new Map<string, boolean>();
  kept.set(kind, known);
  const answer = known.get(field) ?? isFieldKept(spec, kind, field);
  known.set(field, answer);
  return answer;
}

const kept = new WeakMap<ResourceKind, Map<string, boolean>>();

export function isFixed(spec: Spec, { updates }: ResourceKind, field: string): boolean {
  return spec.schemas.flatten(updates[0]?.resource ?? {})["x-fixed"]?.includes(field) === true;
}

export function isFixedOrSettled(spec: Spec, kind: ResourceKind, field: string): boolean {
  const { "x-settled": settled = [] } = spec.schemas.flatten(kind.updates[0]?.resource ?? {});
  return isFixed(spec, kind, field) || settled.includes(field);
}

export function unsettledFields(spec: Spec, kind: ResourceKind): string[] {
  const { properties = {} } = spec.schemas.flatten(kind.updates[0]?.resource ?? {});
  return Object.keys(properties).filter((field) => !isFixedOrSettled(spec, kind, field));
}

function isFieldKept(spec: Spec, kind: ResourceKind, field: string): boolean {
  if (isFixedOrSettled(spec, kind, field)) return true;
  const { updates } = kind;
  const taken = updates.flatMap(({ body }) => spec.schemas.flatten(body ?? {}).properties?.[field] ?? []);
  return (
    taken.length > 0 &&
    taken.every((child) => {
      const { default: defaultValue, "x-consumes": consumes } = spec.schemas.flatten(child);
      return defaultValue === undefined && consumes === undefined;
    })
  );
}

function isLeftAlone(
  spec: Spec,
  { updates }: ResourceKind,
  field: string,
  operation: Operation | null,
): boolean {
  const takes = ({ body = {} }: Operation) => field in (spec.schemas.flatten(body).properties ?? {});
  return operation?.readBack?.keeps === "all" && !takes(operation) && updates.some(takes);
}

/** True if the update must keep the field whenever its body omits the field. */
export function isLasting(
  spec: Spec,
  kind: ResourceKind,
  field: string,
  update: Operation | null | undefined,
): boolean {
  return isKept(spec, kind, field) || isLeftAlone(spec, kind, field, update ?? null);
}

/** False for a field with a default and for a time, because a service may change these by itself. */
export function isJudged(spec: Spec, kind: ResourceKind, field: string): boolean {
  if (isKept(spec, kind, field)) return true;
  const [update] = kind.updates;
  const taken = spec.schemas.flatten(update?.body ?? {}).properties?.[field];
  if (taken && spec.schemas.flatten(taken).default !== undefined) return false;
  const resource = spec.schemas.flatten(update?.resource ?? {});
  return spec.schemas.flatten(resource.properties?.[field] ?? {}).format !== "date-time";
}
