/** Cursors that no list has issued: made of one that it has, or of its form with other insides. Pure. */

/** More than 64 bits hold. */
const TOO_LARGE = "99999999999999999999";
/** So many characters at least, for a cursor to have a form. */
const SHORTEST = 4;

/**
 * The cursor with the character in its middle changed: the ends may be padding, which says nothing. Nor does a letter
 * in other casing, where the cursor is written in hexadecimal digits. Null where it is too short for that.
 */
export function alteredCursor(cursor: string): string | null {
  const characters = [...cursor];
  const at = Math.floor(characters.length / 2);
  const other = characters[at]?.toUpperCase() === "A" ? "B" : "A";
  return characters.length < SHORTEST ? null : characters.with(at, other).join("");
}

/**
 * Cursors of the form of one that was issued, with insides that mean nothing: a number that is too large, text where
 * a number was, half of what was encoded. What decodes them and trusts what it finds breaks on them.
 */
export function cursorsOfItsForm(cursor: string): string[] {
  const parts = cursor.split(".");
  const [first = "", ...rest] = parts;
  const inside = decoded(first);
  const made =
    inside === undefined
      ? rewritten(cursor)
      : rewritten(inside).map((text) => [encodedLike(first, text), ...rest].join("."));
  return [...new Set(made)].filter((text) => text !== cursor && text !== "");
}

/** The id with its digits and small letters moved on by one: of the same form, and surely nobody's. */
export function idOfNothing(id: string): string {
  const tail = Math.min(id.length, Math.max(SHORTEST, id.length - 4));
  const moved = [...id.slice(-tail)].map(next).join("");
  return id.slice(0, -tail) + moved;
}

function next(character: string): string {
  if (character === "9") return "0";
  if (/[0-8]/.test(character)) return String(Number(character) + 1);
  // Letters that are digits in hexadecimal stay such.
  if (character === "f") return "a";
  return /[a-e]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : character;
}

/** A text with its numbers, its words and its end changed, each by itself. */
function rewritten(text: string): string[] {
  const numbers = /\d+/.test(text) ? [text.replace(/\d+/g, TOO_LARGE), text.replace(/\d+/g, "x")] : [];
  // Half of a number is a number, and may well be another cursor.
  const half =
    text.length < SHORTEST || /^\d+$/.test(text) ? [] : [text.slice(0, Math.ceil(text.length / 2))];
  return [...numbers, ...half];
}

/** What a part of a cursor holds, where it is readable text in base64. */
function decoded(part: string): string | undefined {
  if (part.length < SHORTEST || !/^[\w+/-]+={0,2}$/.test(part)) return undefined;
  const bytes = Buffer.from(part, "base64");
  const text = bytes.toString("utf8");
  const readable = /^[\x20-\x7e]+$/.test(text);
  const same = bytes.toString("base64").replace(/=+$/, "") === plain(part);
  return readable && same ? text : undefined;
}

function plain(part: string): string {
  return part.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
}

/** A text in base64, in the alphabet and with the padding of another. */
function encodedLike(part: string, text: string): string {
  const encoded = Buffer.from(text, "utf8").toString("base64");
  const padded = part.includes("=") || part.length % 4 === 0 ? encoded : encoded.replace(/=+$/, "");
  return /[-_]/.test(part) || !/[+/]/.test(part) ? padded.replaceAll("+", "-").replaceAll("/", "_") : padded;
}
