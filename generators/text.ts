/** Valid, short texts that careless services damage. */

import fc from "fast-check";
import type { Schema } from "../spec/model/spec.ts";
import { rotated } from "../spec/ordered.ts";
import { typesOf } from "../spec/schema.ts";

const LOOKALIKES = ["null", "0012.50", "true", "-1e5"];

/** Texts that real services have damaged. */
const ORDINARY = [
  `O'Brien & Söhne "GmbH"`,
  "💸👩‍👩‍👧🇬🇭",
  "مدفوعات ‏RTL",
  "e\u0301a\u0308 \u00e9\u00e4",
  "中文支付",
  "#@!?~^*()[]|:,.",
  "ÿþ ß",
  "a  b   c",
  "{{x}} %s \\n",
];

const EVERY_KIND = `O'B & "a\\b" 💸 e\u0301 \u00e9 م 中 ß  %41`;

/** A text with markup. A service may strip or escape markup, and a firewall may block it. */
export const MARKUP = {
  detail: "markup",
  text: "<script>alert(1)</script> <b>bold</b> &lt;i&gt; &amp;amp;",
};

/** Texts that look like attacks. A firewall may react, so they come alone, at the end. */
export const ATTACK_TEXTS: { detail: string; text: string }[] = [
  MARKUP,
  { detail: "SQL", text: "Robert'); DROP TABLE payments;-- ' OR 1=1" },
];

const AWKWARD = [
  ...ORDINARY,
  ...ATTACK_TEXTS.map(({ text }) => text),
  "100% + 50% = 150%; a=b&c=d",
  "\\n \\u0041 C:\\temp\\new",
  ...LOOKALIKES,
];

const SEGMENTER = new Intl.Segmenter();

/** Swaps upper and lower case of ASCII letters. */
export function inOtherCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (letters) =>
    letters < "a" ? letters.toLowerCase() : letters.toUpperCase(),
  );
}

/** Swaps the letter case behind `kept`, or of the whole text if it does not hold that. */
export function inOtherCaseAfter(text: string, kept: string): string {
  const index = text.indexOf(kept);
  const end = index === -1 ? 0 : index + kept.length;
  return text.slice(0, end) + inOtherCase(text.slice(end));
}

/** Cuts the text to this number of bytes, but never within a visible character. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = "";
  let size = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    size += Buffer.byteLength(segment, "utf8");
    if (size > bytes) break;
    cut += segment;
  }
  return cut;
}

/** The generator is kept, because making it takes longer than making a thousand texts. */
let anyText: fc.Arbitrary<string> | undefined;

/** Returns texts that services often handle wrongly, cut to this number of bytes. */
export function awkwardText(bytes: number): fc.Arbitrary<string> {
  anyText ??= fc.string({ unit: "grapheme", minLength: 1, maxLength: 24 });
  const random = anyText;
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...AWKWARD) }, { weight: 2, arbitrary: random })
    .map((text) => cutToBytes(text, bytes))
    .filter((text) => text !== "" && text.trim() === text && !hasControls(text));
}

/** Like `awkwardText`, without characters that firewalls reject. */
export function ordinaryText(bytes: number): fc.Arbitrary<string> {
  return awkwardText(bytes).filter((text) => !/[<>$'"%&;=\\]/.test(text));
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

/** Returns as many pieces as fit into this number of bytes. Each turn begins with another piece. */
export function ordinaryPieces(bytes: number, turn: number): string[] {
  const pieces = [cutToBytes(EVERY_KIND, bytes).trim()];
  for (const piece of rotated(ORDINARY, turn))
    if (Buffer.byteLength([...pieces, piece].join(" "), "utf8") <= bytes) pieces.push(piece);
  return pieces;
}

export function ordinaryTexts(bytes: number): string[] {
  return [EVERY_KIND, ...ORDINARY]
    .map((text) => cutToBytes(text, bytes).trim())
    .filter((text) => text !== "");
}

/** Returns texts for a path parameter. A path of dots alone would change the URL. */
export function awkwardId(): fc.Arbitrary<string> {
  return awkwardText(60).filter((text) => !/^\.+$/.test(text));
}

export const METADATA_NAMES = [
  "note",
  "orderId",
  "Customer Ref",
  "clé",
  "x.y",
  "a/b",
  "UPPER",
  "snake_case",
  "0",
  "a_name_that_is_longer_than_most_of_them",
];

/** Many databases can't store NUL. */
export const NUL_TEXT = { detail: "NUL", text: "before\u0000after" };

/** Returns the last second of this year, as a valid date-time (RFC 3339). */
export function leapSecond(): string {
  return `${new Date().getUTCFullYear()}-12-31T23:59:60Z`;
}

/** Texts with unusual characters. A service may reject these texts, but not change them. */
export const DECLINABLE_TEXTS: { detail: string; text: string }[] = [
  { detail: "line break and tab", text: "line one\nline two\ttab" },
  NUL_TEXT,
  { detail: "control character", text: "bell\u0007 and escape\u001b[31m" },
  { detail: "zero-width characters", text: "a\u200bb\u2060c\ufeffd" },
];

/** Texts with white space at their ends, or of nothing else. A service may trim these texts. */
export const BLANK_TEXTS: { detail: string; text: string }[] = [
  { detail: "blanks only", text: "   " },
  { detail: "blanks at the ends", text: "  blanks at both ends  " },
];

const MOST_DIGITS = 9;

/** True if the schema allows any text of up to nine characters. */
export function isFreeText({ maxLength = MOST_DIGITS, ...schema }: Schema): boolean {
  const limits = Object.keys(schema).filter((name) => name !== "type" && name !== "description");
  return typesOf(schema).includes("string") && maxLength >= MOST_DIGITS && limits.length === 0;
}
