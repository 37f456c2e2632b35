/** The events of a walk, and how often each happens: depth quick takes part of them, by the seed. */

import type { Call } from "../../client/call.ts";
import { makerOf } from "../../client/relations.ts";
import type { RejectedUpdates } from "../../trials/refused-updates.ts";
import { requiredFields, untakenFields } from "./fields.ts";
import { walkOrder } from "./walk-order.ts";

export type EventName =
  | "one field"
  | "every field"
  | "required fields"
  | "same again"
  | "switch"
  | "null"
  | "rejected body"
  | "rejected reference"
  | "rejected credential"
  | "rejected space"
  | "rejected elsewhere"
  | "another version"
  | "untaken fields"
  | "another resource"
  | "bystander"
  | "replay of the creation"
  | "another body for the key"
  | "other views";

/** The inputs that decide which events happen. */
export interface Walked {
  call: Call;
  /** Optional fields that are not switches. */
  plain: string[];
  switches: string[];
  nullable: string[];
  rejected: RejectedUpdates;
  /** True if an update may send no field at all. */
  takesNothing: boolean;
}

/** Events after which depth quick sends no further update to look for changes. */
const HARMLESS: ReadonlySet<EventName> = new Set([
  "switch",
  "other views",
  "bystander",
  "another body for the key",
  "untaken fields",
  "rejected space",
  "required fields",
]);

/** Number of events that depth full draws at random after the others, for resources of many fields and of one. */
const DRAWN = { many: 8, one: 4 };

export function orderFor(walked: Walked): EventName[] {
  const { seed, depth } = walked.call.target.settings;
  const isDeep = depth === "full";
  const times = Object.entries(timesOf(walked)) as [EventName, number][];
  // Depth quick has room for a further update after one of three kinds of events: the seed says which.
  const isDrawn = (name: EventName, index: number) => !HARMLESS.has(name) && (index + seed) % 4 === 0;
  const kinds = times.flatMap(([name, count], index) =>
    count > 0 ? [{ name, times: count, isJudged: isDeep || isDrawn(name, index) }] : [],
  );
  return walkOrder({
    kinds,
    // An update of the only field hides what the event before it did to that field.
    judging: walked.plain.length > 1 ? ["every field", "one field"] : [],
    passes: isDeep ? 2 : 1,
    drawn: isDeep ? DRAWN[walked.plain.length > 1 ? "many" : "one"] : 0,
    seed,
  });
}

function timesOf({
  call,
  plain,
  switches,
  nullable,
  rejected,
  takesNothing,
}: Walked): Record<EventName, number> {
  const { target, operation } = call;
  const create = makerOf(target.spec, operation);
  const hasMany = plain.length > 1;
  const isDeep = target.settings.depth === "full";
  const some = isDeep && hasMany ? 2 : 1;
  const { bodies, references, credentials, spaces, elsewhere } = rejected;
  return {
    "one field": 0,
    "every field": hasMany ? 0 : some,
    "required fields": Number(takesNothing || requiredFields(target.spec, operation).length > 0),
    "same again": 1,
    switch: switches.length > 0 ? 2 : 0,
    null: isDeep ? nullable.length : Math.ceil(nullable.length / 2),
    "rejected body": Math.min(bodies.length, hasMany && references.length === 0 ? 2 : 1),
    "rejected reference": Math.min(references.length, some),
    "rejected credential": Math.min(credentials.length, some),
    "rejected space": Math.min(spaces.length, 1),
    "rejected elsewhere": Math.min(elsewhere.length, some),
    "another version": Math.min(call.allowed.length - 1, some),
    "untaken fields": Math.min(untakenFields(target.spec, operation).length, 1),
    "another resource": Number(create !== undefined),
    bystander: create === undefined ? (hasMany ? some : 2) : 0,
    "replay of the creation": Number(create?.idempotencyKey !== undefined),
    "another body for the key": Number(create?.idempotencyKey !== undefined),
    "other views": create === undefined && hasMany ? 2 : 1,
  };
}
