import { isObject, type JsonObject, sameJson } from "./json.ts";
import { lackIn, type OfKind } from "./model/difference.ts";
import { describeValue } from "./schema.ts";

const MAX_TEXT = 100;
const CHARACTERS_BEFORE = 20;

/** Describes two values by what differs: long texts near the first difference, objects by other members. */
export function describeApart(
  expected: unknown,
  actual: unknown,
): { expected: string; actual: string } & OfKind {
  const [one, other] = differingParts(expected, actual);
  const described = { expected: describeMembers(one, expected), actual: describeMembers(other, actual) };
  if (asItLooks(described.expected) !== asItLooks(described.actual))
    return { ...described, ...lackIn(actual) };
  return { expected: withUnicodeEscapes(described.expected), actual: withUnicodeEscapes(described.actual) };
}

/** Returns both values without the parts in which they are equal. */
function differingParts(a: unknown, b: unknown): [unknown, unknown] {
  if (isObject(a) && isObject(b)) {
    const [one, other]: [JsonObject, JsonObject] = [{}, {}];
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (Object.hasOwn(a, name) && Object.hasOwn(b, name) && sameJson(a[name], b[name])) continue;
      const [mine, its] = differingParts(a[name], b[name]);
      if (Object.hasOwn(a, name)) one[name] = mine;
      if (Object.hasOwn(b, name)) other[name] = its;
    }
    return [one, other];
  }
  if (typeof a === "string" && typeof b === "string" && Math.max(a.length, b.length) > MAX_TEXT) {
    const from = Math.max(0, firstDifference(a, b) - CHARACTERS_BEFORE);
    return [excerptFrom(a, from), excerptFrom(b, from)];
  }
  return [a, b];
}

function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return index;
}

function excerptFrom(text: string, from: number): string {
  const to = from + MAX_TEXT - CHARACTERS_BEFORE;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function describeMembers(shown: unknown, whole: unknown): string {
  const text = describeValue(shown);
  const left = isObject(shown) && isObject(whole) ? Object.keys(whole).length - Object.keys(shown).length : 0;
  if (left === 0 || !text.endsWith("}")) return text;
  return text.endsWith("{}") ? `${text.slice(0, -1)}…}` : `${text.slice(0, -1)}, …}`;
}

function asItLooks(text: string): string {
  return text.normalize("NFKC").replace(/\p{Cf}/gu, "");
}

function withUnicodeEscapes(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
