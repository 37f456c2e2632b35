import type { Call } from "../../../client/call.ts";
import { makerOf } from "../../../client/relations.ts";
import { rotated } from "../../../spec/ordered.ts";
import { acceptsEmptyBody, type UpdatedFields, untakenFields } from "../../shared/update-fields.ts";
import { readerOf } from "../read-back.ts";
import type { RejectedUpdatesByFault } from "../rejected-updates.ts";
import { type EventKind, revealedEvents, walkOrder } from "./order.ts";
import { otherUpdatesOf } from "./requests.ts";

export type EventName =
  | "one field"
  | "first values again"
  | "every field"
  | "every plain field"
  | "half of the fields"
  | "the other half"
  | "required fields"
  | "same again"
  | "switch"
  | "switch as shown"
  | "null"
  | "null switch"
  | "special value"
  | "special values"
  | "rejected body"
  | "rejected reference"
  | "rejected credential"
  | "rejected space"
  | "rejected in another space"
  | "another version"
  | "untaken fields"
  | "another resource"
  | "unrelated resource"
  | "another operation"
  | "rejected in another operation"
  | "replay of the creation"
  | "another body for the key"
  | "other views";

export interface Walked {
  call: Call;
  fields: UpdatedFields;
  specialCount: number;
  rejected: RejectedUpdatesByFault;
}

/** Events that come first, so that later updates show lasting effects. */
const FIRST_EVENTS: ReadonlySet<EventName> = new Set([
  "switch",
  "rejected space",
  "untaken fields",
  "unrelated resource",
  "replay of the creation",
  "another body for the key",
  "other views",
]);

/** Two updates, of which only one sends a given field. */
const REVEALING_EVENTS: readonly [EventName, EventName] = ["half of the fields", "the other half"];

/** Other updates may reset a boolean field, and its change may restore their old values. */
const SWITCH_EVENTS: readonly EventName[] = ["switch", "every plain field", "switch", "one field"];
/** After null, a faulty service may undo the next change of the field. */
const SWITCH_EVENTS_WITH_NULL = SWITCH_EVENTS.toSpliced(2, 1, "null switch", "switch", "same again");

/** Depth quick repeats one of these with the other half of the fields behind it. */
const AT_QUICK_TWICE: readonly EventName[] = ["required fields", "rejected credential"];

const SAMPLED_EVENTS = 4;

/** Returns the events of a walk in their order. */
export function orderFor(walked: Walked): EventName[] {
  const times = Object.entries(timesOf(walked)) as [EventName, number][];
  const kinds = times.filter(([, count]) => count > 0).map(([name, count]) => ({ name, times: count }));
  if (walked.fields.plain.length > 1) return orderForManyFields(walked, kinds);
  // For bodies with one field, revealing updates would overwrite its change.
  const { target, sendsAll } = walked.call;
  const more = sendsAll ? { passes: 2, sampledCount: SAMPLED_EVENTS } : {};
  const order = walkOrder({ kinds, seed: target.settings.seed, ...more });
  const specials = Array.from(
    { length: sendsAll ? walked.specialCount : 0 },
    (): EventName => "special value",
  );
  return [...rejectedAfterOther(requiredAfterVersion(order, 0), 0), ...specials];
}

/** Returns the order of the events for bodies with many fields, of which a quick run sends a sample. */
function orderForManyFields(walked: Walked, all: EventKind<EventName>[]): EventName[] {
  const { seed } = walked.call.target.settings;
  const switched = switchEvents(walked);
  const kinds = switched.includes("other views") ? all.filter(({ name }) => name !== "other views") : all;
  const sendsAll = walked.call.sendsAll;
  const nulls = sendsAll ? Math.max(walked.fields.nullable.length - REVEALING_EVENTS.length, 0) : 0;
  const first = kinds.filter(({ name }) => FIRST_EVENTS.has(name));
  const rest = kinds.filter(({ name }) => !FIRST_EVENTS.has(name));
  const firstOrder = walkOrder({ kinds: [...first, { name: "null", times: nulls }], seed });
  const once = walkOrder({ kinds: rest, seed });
  const again = sendsAll ? once : rotated(AT_QUICK_TWICE, seed).slice(0, 1);
  const restOrder = revealedEvents(once, REVEALING_EVENTS, seed, again);
  const sampledOrder = sendsAll
    ? walkOrder({ kinds, seed, revealing: ["special value", "one field"], sampledCount: SAMPLED_EVENTS })
    : [];
  const ordered = rejectedAfterOther(requiredAfterVersion(restOrder, 1), 1);
  return [...replayedLast(firstOrder), ...ordered, ...sampledOrder, ...switched];
}

function switchEvents({ call, fields: { switches, nullableSwitches } }: Walked): readonly EventName[] {
  if (switches.length === 0) return [];
  const events = nullableSwitches.length > 0 ? SWITCH_EVENTS_WITH_NULL : SWITCH_EVENTS;
  // A list may hide a switched-off resource, so one must be read, too.
  const isRead = readerOf(call.target.spec, call.operation)?.kind === "read";
  return isRead ? events.toSpliced(1, 0, "other views") : events;
}

/** Puts the update of the required fields behind one under another version: it shows changes of other fields. */
function requiredAfterVersion(events: EventName[], revealingCount: number): EventName[] {
  return movedBehind(events, "required fields", "another version", revealingCount);
}

/**
 * Returns the events with the rejected update behind that of another resource. A faulty service may take a
 * rejected update for valid if it updated another resource last. So no update of the walked resource comes
 * between them.
 */
export function rejectedAfterOther(events: EventName[], revealingCount: number): EventName[] {
  return movedBehind(events, "rejected body", "another resource", revealingCount);
}

/** Moves an event and its revealing updates directly behind another event, in place of the updates there. */
function movedBehind(
  events: EventName[],
  name: EventName,
  other: EventName,
  revealingCount: number,
): EventName[] {
  const index = events.indexOf(name);
  if (index === -1 || !events.includes(other)) return events;
  const moved = events.slice(index, index + 1 + revealingCount);
  const others = events.toSpliced(index, 1 + revealingCount);
  return others.toSpliced(others.indexOf(other) + 1, revealingCount, ...moved);
}

/**
 * Returns the events with the replay behind the create with another body. An accepted replay shows that the
 * create before it was rejected for its body.
 */
function replayedLast(events: EventName[]): EventName[] {
  const rejected = events.indexOf("another body for the key");
  const replayed = events.indexOf("replay of the creation");
  if (rejected < replayed || replayed === -1) return events;
  return events.with(replayed, "another body for the key").with(rejected, "replay of the creation");
}

/** Returns how often each event occurs. Events that the walk sends by itself are left out. */
function timesOf({ call, fields, rejected }: Walked): Partial<Record<EventName, number>> {
  const { target, operation } = call;
  const create = makerOf(target.spec, operation);
  const { plain, switches, nullable } = fields;
  const hasMany = plain.length > 1;
  const sendsAll = call.sendsAll;
  const some = sendsAll && !hasMany ? 2 : 1;
  const once = (isPossible: boolean) => (isPossible ? 1 : 0);
  const hasKey = create?.idempotencyKey !== undefined;
  const takesFewFields =
    acceptsEmptyBody(target.spec, operation) || target.spec.schemas.required(operation.body).length > 0;
  const hasOthers = otherUpdatesOf(target.spec, operation).length > 0;
  const { bodies, references, credentials, spaces, otherSpaces } = rejected;
  return {
    "every field": hasMany ? 0 : some,
    "required fields": once(takesFewFields),
    "same again": once(sendsAll || !hasMany),
    switch: once(sendsAll && switches.length > 0),
    null: once(hasMany && nullable.length > 0),
    "rejected body": once(bodies.length > 0),
    "rejected reference": Math.min(references.length, some),
    "rejected credential": Math.min(credentials.length, some),
    // At depth quick, `rejectedBatch` sends these faults.
    "rejected space": once(sendsAll && spaces.length > 0),
    "rejected in another space": Math.min(otherSpaces.length, some),
    "another version": Math.min(call.allowed.length - 1, some),
    "untaken fields": once(untakenFields(target.spec, operation).length > 0),
    "another resource": once(create !== undefined),
    "unrelated resource": create === undefined ? some : 0,
    "another operation": once(hasOthers),
    "rejected in another operation": once(hasOthers),
    "replay of the creation": once(hasKey),
    "another body for the key": once(hasKey),
    "other views": 1,
  };
}
