import type { Call } from "../../client/call.ts";
import { makerOf } from "../../client/relations.ts";
import { acceptsEmptyBody, requiredFields, untakenFields } from "./fields.ts";
import type { RejectedUpdates } from "./refused-updates.ts";
import type { UpdatedFields } from "./update.ts";
import { type EventKind, judgedTwice, walkOrder } from "./walk-order.ts";

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
  | "replay of the creation"
  | "another body for the key"
  | "other views";

export interface Walked {
  call: Call;
  fields: UpdatedFields;
  specialCount: number;
  rejected: RejectedUpdates;
}

/** These events come first, so that many later updates can show a lasting effect. */
const FIRST: ReadonlySet<EventName> = new Set([
  "switch",
  "rejected space",
  "untaken fields",
  "unrelated resource",
  "replay of the creation",
  "another body for the key",
  "other views",
]);

/** One of these two updates sends a field, and the other does not. */
const JUDGING: readonly EventName[] = ["half of the fields", "the other half"];

/**
 * A faulty service may reset a boolean field when other fields are updated, or restore their old values when it
 * changes.
 */
const SWITCH_EVENTS: readonly EventName[] = ["switch", "every plain field", "switch", "one field"];
/** After null, a faulty service may undo the next change of the boolean field. */
const SWITCH_EVENTS_WITH_NULL = SWITCH_EVENTS.toSpliced(2, 1, "null switch", "switch", "same again");

const SAMPLED = { many: 4, one: 4 };

export function orderFor(walked: Walked): EventName[] {
  const times = (Object.entries(timesOf(walked)) as [EventName, number][]).filter(([, count]) => count > 0);
  const kinds = times.map(([name, count]) => ({ name, times: count, isJudged: true }));
  return walked.fields.plain.length > 1 ? orderForManyFields(walked, kinds) : orderForOneField(walked, kinds);
}

/** No judging updates follow the events: with one field, they would overwrite its change. */
function orderForOneField(walked: Walked, kinds: EventKind<EventName>[]): EventName[] {
  const { seed, depth } = walked.call.target.settings;
  const more = depth === "full" ? { passes: 2, sampledCount: SAMPLED.one } : {};
  return [...withFewFieldsAfterVersion(walkOrder({ kinds, seed, ...more }), 0), ...specialsOf(walked)];
}

function orderForManyFields(walked: Walked, kinds: EventKind<EventName>[]): EventName[] {
  const { seed, depth } = walked.call.target.settings;
  const isDeep = depth === "full";
  const nulls = isDeep ? Math.max(walked.fields.nullable.length - JUDGING.length, 0) : 0;
  const first = kinds.filter(({ name }) => FIRST.has(name));
  const once = [...first, { name: "null" as const, times: nulls, isJudged: false }];
  const rest = kinds.filter(({ name }) => !FIRST.has(name));
  const sampled = { judging: ["special value", "one field"] as const, sampledCount: SAMPLED.many };
  return [
    ...replayedLast(walkOrder({ kinds: once, seed })),
    ...withFewFieldsAfterVersion(
      judgedTwice(walkOrder({ kinds: rest, seed }), JUDGING, { seed, isWhole: isDeep }),
      1,
    ),
    ...(isDeep ? walkOrder({ kinds, seed, ...sampled }) : []),
    ...switchEvents(walked),
  ];
}

function specialsOf({ call, specialCount }: Walked): readonly EventName[] {
  const isDeep = call.target.settings.depth === "full";
  return Array.from({ length: isDeep ? specialCount : 0 }, () => "special value");
}

function switchEvents({ fields: { switches, nullable } }: Walked): readonly EventName[] {
  if (switches.length === 0) return [];
  return switches.some((name) => nullable.includes(name)) ? SWITCH_EVENTS_WITH_NULL : SWITCH_EVENTS;
}

/**
 * Moves the update of the required fields right behind the update under another version. It shows if that update
 * changed other fields.
 */
function withFewFieldsAfterVersion(events: EventName[], judges: number): EventName[] {
  const few = events.indexOf("required fields");
  if (few === -1 || !events.includes("another version")) return events;
  const moved = events.slice(few, few + 1 + judges);
  const others = events.toSpliced(few, 1 + judges);
  return others.toSpliced(others.indexOf("another version") + 1, judges, ...moved);
}

/**
 * Moves the replay of the creation behind the create with another body for the key. If the replay is accepted, the
 * body was why the create was rejected.
 */
function replayedLast(events: EventName[]): EventName[] {
  const [rejected, replayed] = [
    events.indexOf("another body for the key"),
    events.indexOf("replay of the creation"),
  ];
  if (rejected < replayed || replayed === -1) return events;
  return events.with(replayed, "another body for the key").with(rejected, "replay of the creation");
}

function timesOf({ call, fields, rejected }: Walked): Record<EventName, number> {
  const { target, operation } = call;
  const create = makerOf(target.spec, operation);
  const { plain, switches, nullable } = fields;
  const hasMany = plain.length > 1;
  const isDeep = target.settings.depth === "full";
  const some = isDeep && !hasMany ? 2 : 1;
  const { bodies, references, credentials, spaces, otherSpaces } = rejected;
  return {
    "one field": 0,
    "half of the fields": 0,
    "the other half": 0,
    "every field": hasMany ? 0 : some,
    "required fields": Number(
      acceptsEmptyBody(target.spec, operation) || requiredFields(target.spec, operation).length > 0,
    ),
    "same again": hasMany && !isDeep ? 0 : 1,
    switch: switches.length > 0 && isDeep ? 1 : 0,
    "every plain field": 0,
    "switch as shown": 0,
    "first values again": 0,
    "null switch": 0,
    "special value": 0,
    "special values": 0,
    null: hasMany ? Math.min(nullable.length, 1) : 0,
    "rejected body": Math.min(bodies.length, 1),
    "rejected reference": Math.min(references.length, some),
    "rejected credential": Math.min(credentials.length, some),
    // At depth quick, `rejectedBatch` sends these faults.
    "rejected space": isDeep ? Math.min(spaces.length, 1) : 0,
    "rejected in another space": Math.min(otherSpaces.length, some),
    "another version": Math.min(call.allowed.length - 1, some),
    "untaken fields": Math.min(untakenFields(target.spec, operation).length, 1),
    "another resource": Number(create !== undefined),
    "unrelated resource": create === undefined ? some : 0,
    "replay of the creation": Number(create?.idempotencyKey !== undefined),
    "another body for the key": Number(create?.idempotencyKey !== undefined),
    "other views": 1,
  };
}
