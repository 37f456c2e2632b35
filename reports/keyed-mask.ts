/** Masks personal data so that equal values stay equal: who compares masked values finds what they would find in the values. */

import { createHmac } from "node:crypto";
import type { Mask } from "./personal-data.ts";

/** Runs of x and marks like asterisks already stand in place of what a service hides. */
const CHARACTER = /[xX]{3,}|[\p{L}\p{Nd}*•…]/gu;
/** Escapes that JSON needs, and what they stand for, are compared as the value that they are part of. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** A zero stays: some numbers may not begin with one. */
const DIGITS = "123456789";
/** Letters of other scripts are replaced within a stretch of so many code points. */
const BLOCK = 64;
/** From here on the places of a text share their letters. */
const PLACES = 64;

/**
 * A mask that replaces each letter and digit by another one, chosen by the key and the place in the text. Length, casing
 * and punctuation stay. Values that begin alike do so masked, too, as a phone number and the same one partly hidden.
 */
export function keyedMask(key: Buffer): Mask {
  const replacements = new Map<string, ReadonlyMap<string, string>>();
  const at = (place: number, alphabet: string) => {
    const name = `${place % PLACES} ${alphabet}`;
    const known = replacements.get(name) ?? rotated(key, name, [...alphabet]);
    replacements.set(name, known);
    return known;
  };
  return (value) => {
    let place = 0;
    return value.replace(CHARACTER, (found) => {
      const from = place;
      place += found.length;
      if (found.length > 2) return found;
      const lower = found.toLowerCase();
      if (lower === found || lower.toUpperCase() !== found)
        return at(from, alphabetOf(found)).get(found) ?? found;
      return at(from, alphabetOf(lower)).get(lower)?.toUpperCase() ?? found;
    });
  };
}

/** Each member of an alphabet, and the one after it in an order that only the key gives. */
function rotated(key: Buffer, name: string, members: string[]): Map<string, string> {
  const rank = (member: string) => createHmac("sha256", key).update(`${name} ${member}`).digest("hex");
  const order = members
    .map((member) => ({ member, rank: rank(member) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Map(
    order.map(({ member }, index) => [member, order[(index + 1) % order.length]?.member ?? member]),
  );
}

/** The characters that may stand in place of one: of the same script, and with the same casing. */
function alphabetOf(character: string): string {
  if (LETTERS.includes(character)) return LETTERS;
  if (DIGITS.includes(character)) return DIGITS;
  const code = character.codePointAt(0) ?? 0;
  const first = code - (code % BLOCK);
  const kind = kindOf(character);
  return code < 128
    ? ""
    : Array.from({ length: BLOCK }, (_, index) => String.fromCodePoint(first + index))
        .filter((other) => kindOf(other) === kind)
        .join("");
}

type Kind = "small letter" | "letter" | "digit" | "other";

function kindOf(character: string): Kind {
  if (/\p{Nd}/u.test(character)) return "digit";
  if (!/\p{L}/u.test(character)) return "other";
  const upper = character.toUpperCase();
  return upper !== character && upper.toLowerCase() === character && upper.length === character.length
    ? "small letter"
    : "letter";
}
