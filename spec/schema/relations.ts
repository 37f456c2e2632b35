import { decimalsOf, isDateTime, isInstantBefore } from "../formats.ts";
import { sameJson, valueAt } from "../json.ts";
import type { Relation } from "../model/schema.ts";
import { describeValue } from "../schema.ts";

export interface BrokenRelation {
  field: string;
  expected: string;
  actual: string;
}

export function comparesWithNow({ relation }: Relation): boolean {
  return relation === "past" || relation === "to-come";
}

/** Returns how the relation is broken, null if it holds, and `undefined` if it does not apply. */
export function brokenRelation(
  stated: Relation,
  value: unknown,
  now: number,
): BrokenRelation | null | undefined {
  const { fields, when } = stated;
  if (when && !sameJson(valueAt(value, when.field), when.is)) return undefined;
  const [field, second = field] = fields;
  const [one, other] = [valueAt(value, field), valueAt(value, second)];
  if (one === undefined || other === undefined || one === null || other === null) return undefined;
  const expected = expectationOf(stated, one, other, now);
  return typeof expected === "string" ? { field, expected, actual: describeValue(one) } : expected;
}

/** Returns null if the fields relate as stated, else the expectation; `undefined` if they can't be compared. */
function expectationOf(
  stated: Relation,
  one: unknown,
  other: unknown,
  now: number,
): string | null | undefined {
  const { relation, fields } = stated;
  const [field, second = field] = fields;
  switch (relation) {
    case "equal":
      return sameJson(one, other) ? null : `${field} equal to ${second} (${describeValue(other)})`;
    case "minor-units": {
      const digits = typeof other === "string" ? decimalsOf(other) : undefined;
      if (digits === undefined || typeof one !== "number") return undefined;
      return one === digits ? null : `${digits}, the minor-unit digits of ${describeValue(other)}`;
    }
    case "not-before":
      if (!isTime(one) || !isTime(other)) return undefined;
      return isInstantBefore(one, other) ? `${field} not before ${second} (${other})` : null;
    default:
      return isTime(one) ? comparedWithNow(stated, one, now) : undefined;
  }
}

/** Returns the expectation that a time in the past or the future breaks, or null if it is kept. */
function comparedWithNow(
  { relation, fields: [field], when, within = 0 }: Relation,
  time: string,
  now: number,
): string | null {
  const state = when ? ` while ${when.field} is ${describeValue(when.is)}` : "";
  if (relation === "past") {
    const latest = new Date(now + within * 1000).toISOString();
    return isInstantBefore(latest, time) ? `${field} in the past${state}` : null;
  }
  const earliest = new Date(now - within * 1000).toISOString();
  return isInstantBefore(time, earliest) ? `${field} not long past${state}` : null;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && isDateTime(value);
}
