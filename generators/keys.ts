import { memoized } from "../spec/memoized.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { parameterViolations } from "./parameters.ts";
import { patternOf } from "./pattern-texts.ts";

const SHORTEST_KEY = 24;
const COMMON_LENGTH = 64;

/** How two keys differ: `unlike` in several characters, `any keys` in one in the middle. */
export type KeyVariation =
  | "unlike"
  | "last character"
  | "first character"
  | "casing"
  | "hyphens"
  | "any keys";

/** Returns the ways in which two keys may differ. Short keys and keys of a form have only one. */
export function keyVariations(key: Parameter): KeyVariation[] {
  if (hasForm(key) || longestKey(key) < SHORTEST_KEY) return ["unlike"];
  const hyphens: KeyVariation[] = allowsHyphens(key) ? ["hyphens"] : [];
  return ["unlike", "last character", "first character", "casing", ...hyphens, "any keys"];
}

/** Returns the way in which two keys differ, or undefined if they are equal. */
export function variationBetween(one: string, other: string): KeyVariation | undefined {
  if (one === other) return undefined;
  if (one.toLowerCase() === other.toLowerCase()) return "casing";
  if (one.replaceAll("-", "") === other.replaceAll("-", "")) return "hyphens";
  if (one.length !== other.length) return "unlike";
  let first = 0;
  while (one[first] === other[first]) first++;
  if (one.slice(first + 1) !== other.slice(first + 1)) return "unlike";
  if (first === 0) return "first character";
  return first === one.length - 1 ? "last character" : "any keys";
}

/** True if keys must have a form, and not only a length. */
export function hasForm(key: Parameter): boolean {
  return keyLengths(key) === undefined;
}

/** Keys that differ in hyphens have several lengths. */
const FEWEST_LENGTHS = 8;

const MOST_TRIED = 128;

/** The least and the greatest length of keys, in characters. */
type Lengths = [least: number, most: number];

/**
 * Returns the lengths of keys of any letters and digits, and of hyphens if keys may have them. A pattern may limit the
 * length. Returns undefined if not all such keys are allowed.
 */
export const keyLengths = memoized(
  (key: Parameter) => lengthsOf(key, OTHER_CHARACTERS) ?? lengthsOf(key, LETTERS_AND_DIGITS),
);

/** False if keys of letters and digits must not have hyphens among them. */
export const allowsHyphens = memoized(
  (key: Parameter) =>
    lengthsOf(key, OTHER_CHARACTERS) !== undefined || lengthsOf(key, LETTERS_AND_DIGITS) === undefined,
);

function lengthsOf({ schema }: Parameter, characters: string): Lengths | undefined {
  const { format, pattern, minLength = 0, maxLength = COMMON_LENGTH } = schema;
  if (format !== undefined) return undefined;
  if (pattern === undefined) return [minLength, maxLength];
  const tried = Array.from({ length: Math.min(maxLength, MOST_TRIED) }, (_, index) => index + 1);
  const fitting = tried.filter((length) => length >= minLength && isAnyAllowed(pattern, length, characters));
  const [least, longest] = [fitting[0], fitting.at(-1)];
  if (least === undefined || longest === undefined || longest - least < FEWEST_LENGTHS) return undefined;
  if (fitting.length <= longest - least) return undefined;
  return [least, isAnyAllowed(pattern, maxLength, characters) ? maxLength : longest];
}

function isAnyAllowed(pattern: string, length: number, characters: string): boolean {
  return [...FIRST_CHARACTERS].every((first) =>
    patternOf(pattern).test(first + characters.repeat(length).slice(0, length - 1)),
  );
}

/** True if the pattern rejects longer and shorter keys, too. */
function isLengthOfPattern(key: Parameter): boolean {
  const { pattern, minLength = 1, maxLength = COMMON_LENGTH } = key.schema;
  const outside = [minLength - 1, maxLength + 1, maxLength * 4].filter((length) => length > 0);
  const characters = allowsHyphens(key) ? OTHER_CHARACTERS : LETTERS_AND_DIGITS;
  return pattern !== undefined && !outside.every((length) => isAnyAllowed(pattern, length, characters));
}

const FIRST_CHARACTERS = "pq09AZ";
const OTHER_CHARACTERS = "az-09AZ";
const LETTERS_AND_DIGITS = OTHER_CHARACTERS.replace("-", "");

/** Returns a length in characters. */
export function longestKey(key: Parameter): number {
  return keyLengths(key)?.[1] ?? key.schema.maxLength ?? COMMON_LENGTH;
}

export interface KeyFault {
  requirement: string;
  detail?: string;
  title: string;
  /** The key to send. Null sends none, and a number is the length of a new key. */
  value: string | number | null;
}

/** Returns the faulty keys: missing, empty, too long, too short, or of another form. */
export function keyFaults({ schemas }: Spec, key: Parameter): KeyFault[] {
  const missing: KeyFault[] = [
    { requirement: "KEY-MISSING", title: "without an idempotency key", value: null },
    { requirement: "KEY-EMPTY", title: "with an empty idempotency key", value: "" },
  ];
  const { minLength = 0, maxLength } = key.schema;
  // A key of another length would also break the form.
  const isFormed = hasForm(key) || isLengthOfPattern(key);
  const lengths = maxLength === undefined || isFormed ? [] : [maxLength + 1, maxLength * 4];
  const tooShort = minLength < 2 || isFormed ? [] : [minLength - 1];
  const tooLong = lengths.map((length) => ({
    requirement: key.requirements.maxLength ?? "KEY-TOO-LONG",
    detail: String(length),
    title: `with an idempotency key of ${length} characters`,
    value: length,
  }));
  const shorter = tooShort.map((length) => ({
    requirement: key.requirements.minLength ?? "PARAMETER-INVALID",
    detail: `${key.name} minLength ${length}`,
    title: `with an idempotency key of ${length} characters`,
    value: length,
  }));
  const malformed = parameterViolations(key, schemas)
    .filter(({ constraint }) => constraint === "format" || constraint === "pattern")
    .map(({ constraint, text }) => ({
      requirement: key.requirements[constraint] ?? "PARAMETER-INVALID",
      detail: `${key.name} ${constraint} ${text}`,
      title: `with ${text} for ${key.name}`,
      value: text,
    }));
  return [...(key.required ? missing : []), ...tooLong, ...shorter, ...malformed];
}
