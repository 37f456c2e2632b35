import type { Answer } from "../../client/target.ts";
import { isDateTime } from "../../spec/formats.ts";
import { isObject, sameJson } from "../../spec/json.ts";

/** Milliseconds by which a service's clock may differ from a time that it shows as now. */
const JUST_NOW = 2_500;

export interface VolatilePart {
  name: string;
  values: unknown[];
}

/**
 * Values that differ in every reading, in a record or in one record of a list. Others hardly change the same
 * record between every two readings.
 */
export function volatileParts(shown: unknown[], identity: string | undefined): VolatilePart[] {
  const [first] = shown;
  const differs = ({ values }: VolatilePart) =>
    values.slice(1).every((value, index) => !sameJson(value, values[index]));
  if (!Array.isArray(first)) return [{ name: "the record", values: shown }].filter(differs);
  if (identity === undefined) return [];
  const records = shown.map(
    (list) =>
      new Map((Array.isArray(list) ? list.filter(isObject) : []).map((item) => [item[identity], item])),
  );
  return [...(records[0]?.keys() ?? [])]
    .filter((id) => records.every((byId) => byId.has(id)))
    .map((id) => ({ name: String(id), values: records.map((byId) => byId.get(id)) }))
    .filter(differs);
}

export function isClock(value: unknown, answer: Answer): boolean {
  return !sameJson(value, withoutClock(value, answer));
}

export function withoutClock(value: unknown, answer: Answer | undefined): unknown {
  const now = Date.parse(answer?.headers.date ?? "") || Date.now();
  const isNow = (part: unknown) => {
    const time = typeof part === "string" && isDateTime(part) ? Date.parse(part) : Number.NaN;
    return time % 1000 === 0 && Math.abs(time - now) < JUST_NOW;
  };
  const text = JSON.stringify(value, (_, part: unknown) => (isNow(part) ? "now" : part));
  return text === undefined ? undefined : JSON.parse(text);
}
