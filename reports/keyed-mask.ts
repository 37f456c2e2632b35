/** Masks values so that equal values stay equal, because rules compare them. */

import { createHmac } from "node:crypto";
import type { Mask } from "./personal-data.ts";

/** Runs of x or asterisks come from the service's own mask. */
const CHARACTER = /[xX]{3,}|[\p{L}\p{Nd}*•…]/gu;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Some numbers may not begin with 0. */
const DIGITS = "123456789";
/** Letters of other scripts are replaced within their block of code points. */
const BLOCK = 64;
const PLACES = 64;

/** Equal beginnings stay equal (a phone number and its hidden form). */
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

function rotated(key: Buffer, name: string, members: string[]): Map<string, string> {
  const rank = (member: string) => createHmac("sha256", key).update(`${name} ${member}`).digest("hex");
  const order = members
    .map((member) => ({ member, rank: rank(member) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Map(
    order.map(({ member }, index) => [member, order[(index + 1) % order.length]?.member ?? member]),
  );
}

function alphabetOf(character: string): string {
  if (LETTERS.includes(character)) return LETTERS;
  if (DIGITS.includes(character)) return DIGITS;
  const code = character.codePointAt(0) ?? 0;
  const first = code - (code % BLOCK);
  const own = characterClassOf(character);
  return code < 128
    ? ""
    : Array.from({ length: BLOCK }, (_, index) => String.fromCodePoint(first + index))
        .filter((other) => characterClassOf(other) === own)
        .join("");
}

type CharacterClass = "small letter" | "letter" | "digit" | "other";

function characterClassOf(character: string): CharacterClass {
  if (/\p{Nd}/u.test(character)) return "digit";
  if (!/\p{L}/u.test(character)) return "other";
  const upper = character.toUpperCase();
  return upper !== character && upper.toLowerCase() === character && upper.length === character.length
    ? "small letter"
    : "letter";
}
