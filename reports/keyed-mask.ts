/** Masks personal data. Equal values get equal masks, because rules compare them. */

import { createHmac } from "node:crypto";
import type { Mask } from "./personal-data.ts";

/** Matches one character, or a part that the service masked. */
const CHARACTER = /[xX]{3,}|[\p{L}\p{Nd}*•…]/gu;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Some numbers may not begin with 0. */
const DIGITS = "123456789";
/** Letters of other scripts are masked within blocks of code points. */
const LETTER_BLOCK = 64;
const PLACES = 64;

/**
 * Returns a function that masks texts. The key and the place of a character decide its mask, so equal
 * beginnings stay equal (`+237612345670`, `+2376*****670`).
 */
export function keyedMask(key: Buffer): Mask {
  const replacements = new Map<string, ReadonlyMap<string, string>>();
  const replacementsAt = (place: number, alphabet: string) => {
    const name = `${place % PLACES} ${alphabet}`;
    const known = replacements.get(name) ?? rotatedNames(key, name, [...alphabet]);
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
        return replacementsAt(from, alphabetOf(found)).get(found) ?? found;
      return replacementsAt(from, alphabetOf(lower)).get(lower)?.toUpperCase() ?? found;
    });
  };
}

/** Returns another name for each member, in an order that only the key determines. */
function rotatedNames(key: Buffer, name: string, members: string[]): Map<string, string> {
  const rank = (member: string) => createHmac("sha256", key).update(`${name} ${member}`).digest("hex");
  const order = members
    .map((member) => ({ member, rank: rank(member) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Map(
    order.map(({ member }, index) => [member, order[(index + 1) % order.length]?.member ?? member]),
  );
}

/** Returns the characters that may stand for this one, or an empty text if it stays. */
function alphabetOf(character: string): string {
  if (LETTERS.includes(character)) return LETTERS;
  if (DIGITS.includes(character)) return DIGITS;
  const own = characterClassOf(character);
  const code = character.codePointAt(0) ?? 0;
  // Characters of the service's own mask stay.
  if (code < 128 || own === "other") return "";
  const first = code - (code % LETTER_BLOCK);
  return Array.from({ length: LETTER_BLOCK }, (_, index) => String.fromCodePoint(first + index))
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
