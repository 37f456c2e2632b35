/** Makes cursors and ids that no list has issued. */

import type { Schema } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { matchingText, patternOf } from "./pattern-texts.ts";

/** A number that does not fit into 64 bits. */
export const TOO_LARGE = "99999999999999999999";
const UNUSED = 987_654_321;
const LONGEST_CURSOR = 200;
const SHORTEST_CURSOR = 4;

/** Returns the end of the text, or else a value that fits the schema. */
export function unheardOfCursor(schema: Schema, text: string): string {
  const { maximum = UNUSED, maxLength, pattern } = schema;
  if (typesOf(schema).includes("integer")) return String(Math.min(maximum, UNUSED));
  const cut = text.slice(-(maxLength ?? LONGEST_CURSOR));
  return pattern === undefined || patternOf(pattern).test(cut) ? cut : matchingText(schema, UNUSED);
}

/** Returns the cursor changed in its middle, as its ends may be padding, or null if it is too short. */
export function alteredCursor(cursor: string): string | null {
  const characters = [...cursor];
  const at = Math.floor(characters.length / 2);
  const other = characters[at]?.toUpperCase() === "A" ? "B" : "A";
  return characters.length < SHORTEST_CURSOR ? null : characters.with(at, other).join("");
}

/**
 * Returns the cursor with a huge number, with `x` for digits, and cut in half. Base64 is decoded first: a
 * service may trust a cursor that it can decode.
 */
export function cursorsOfItsForm(cursor: string): string[] {
  const parts = cursor.split(".");
  const [first = "", ...rest] = parts;
  const inside = textInBase64(first);
  const made =
    inside === undefined
      ? textsLike(cursor)
      : textsLike(inside).map((text) => [encodedLike(first, text), ...rest].join("."));
  return [...new Set(made)].filter((text) => text !== cursor && text !== "");
}

/** Returns "" if the id may end with a number that counts, because another number may be known. */
export function unknownIdLike(id: string): string {
  if (mayCount(id)) return "";
  const tail = Math.min(id.length, Math.max(SHORTEST_CURSOR, id.length - 4));
  const moved = [...id.slice(-tail)].map(nextCharacter).join("");
  return id.slice(0, -tail) + moved;
}

/** A longer id is probably random. */
const LONG_ID = 16;

function mayCount(id: string): boolean {
  return id.length < LONG_ID && /\d\d$|^\d+$/.test(id);
}

function nextCharacter(character: string): string {
  if (character === "9") return "0";
  if (/[0-8]/.test(character)) return String(Number(character) + 1);
  if (character === "f") return "a";
  return /[a-e]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : character;
}

function textsLike(text: string): string[] {
  const numbers = /\d+/.test(text) ? [text.replace(/\d+/g, TOO_LARGE), text.replace(/\d+/g, "x")] : [];
  // Half of a number may be a valid cursor.
  const half =
    text.length < SHORTEST_CURSOR || /^\d+$/.test(text) ? [] : [text.slice(0, Math.ceil(text.length / 2))];
  return [...numbers, ...half];
}

function textInBase64(part: string): string | undefined {
  if (part.length < SHORTEST_CURSOR || !/^[\w+/-]+={0,2}$/.test(part)) return undefined;
  const bytes = Buffer.from(part, "base64");
  const text = bytes.toString("utf8");
  const readable = /^[\x20-\x7e]+$/.test(text);
  const same = bytes.toString("base64").replace(/=+$/, "") === asStandardBase64(part);
  return readable && same ? text : undefined;
}

function asStandardBase64(part: string): string {
  return part.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
}

function encodedLike(part: string, text: string): string {
  const encoded = Buffer.from(text, "utf8").toString("base64");
  const padded = part.includes("=") || part.length % 4 === 0 ? encoded : encoded.replace(/=+$/, "");
  return /[-_]/.test(part) || !/[+/]/.test(part) ? padded.replaceAll("+", "-").replaceAll("/", "_") : padded;
}
