/** Texts that go wrong in careless services: legal all of them, and short enough by every way of counting. */

import fc from "fast-check";

/** Texts that read like values of another type, and are taken for them where they stand alone. */
const LOOKALIKES = ["null", "0012.50", "true", "-1e5"];

/** Pieces of text that real services have mangled. None begins or ends with a blank: that is a rule apart. */
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

/** A little of every kind of text that is mangled, short enough for the narrowest field. */
const EVERY_KIND = `O'B & "a\\b" 💸 e\u0301 \u00e9 م 中 ß  %41`;

/** What services strip or escape, and a firewall may mind. */
export const MARKUP = {
  detail: "markup",
  text: "<script>alert(1)</script> <b>bold</b> &lt;i&gt; &amp;amp;",
};

/** Texts that a firewall may take for an attack. They are sent one by one, last, so that a block costs nothing else. */
export const SUSPECT_TEXTS: { detail: string; text: string }[] = [
  MARKUP,
  { detail: "SQL", text: "Robert'); DROP TABLE payments;-- ' OR 1=1" },
];

/** All of them, for texts that are made up. */
const AWKWARD = [
  ...ORDINARY,
  ...SUSPECT_TEXTS.map(({ text }) => text),
  "100% + 50% = 150%; a=b&c=d",
  "\\n \\u0041 C:\\temp\\new",
  ...LOOKALIKES,
];

const SEGMENTER = new Intl.Segmenter();

/** Cut so that neither code points, UTF-16 units nor bytes exceed `bytes`; never inside a character. */
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

/** Made once, when it is first needed: it takes longer than a thousand texts do. */
let anyText: fc.Arbitrary<string> | undefined;

/** Text of printable characters of any script, at most `bytes` bytes long; never empty, no control characters. */
export function awkwardText(bytes: number): fc.Arbitrary<string> {
  anyText ??= fc.string({ unit: "grapheme", minLength: 1, maxLength: 24 });
  const random = anyText;
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...AWKWARD) }, { weight: 2, arbitrary: random })
    .map((text) => cutToBytes(text, bytes))
    .filter((text) => text !== "" && text.trim() === text && !hasControls(text));
}

/** The same without what a firewall may take for an attack. */
export function ordinaryText(bytes: number): fc.Arbitrary<string> {
  return awkwardText(bytes).filter((text) => !/[<>$'"%&;=\\]/.test(text));
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

/**
 * Awkward pieces that no firewall minds, to be joined with blanks, at most so many bytes: a little of every kind, and as
 * many of the others as there is room for, those first whose turn it is.
 */
export function ordinaryPieces(bytes: number, turn: number): string[] {
  const start = turn % ORDINARY.length;
  const pieces = [cutToBytes(EVERY_KIND, bytes).trim()];
  for (const piece of [...ORDINARY.slice(start), ...ORDINARY.slice(0, start)])
    if (Buffer.byteLength([...pieces, piece].join(" "), "utf8") <= bytes) pieces.push(piece);
  return pieces;
}

/** The same texts, all of them, each as long as may be. */
export function ordinaryTexts(bytes: number): string[] {
  return [EVERY_KIND, ...ORDINARY]
    .map((text) => cutToBytes(text, bytes).trim())
    .filter((text) => text !== "");
}

/** Text for a path segment that surely names nothing; neither empty nor a dot segment. */
export function awkwardId(): fc.Arbitrary<string> {
  return awkwardText(60).filter((text) => !/^\.+$/.test(text));
}

/** Names of attributes that real services have mangled. */
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

/** A character that many a store can't hold, in texts as in the values of attributes. */
export const NUL_TEXT = { detail: "NUL", text: "before\u0000after" };

/** The last second of this year, as a leap second. */
export function leapSecond(): string {
  return `${new Date().getUTCFullYear()}-12-31T23:59:60Z`;
}

/** Values that a service may decline, but must show unchanged when it takes them. */
export const DECLINABLE_TEXTS: { detail: string; text: string }[] = [
  { detail: "line break and tab", text: "line one\nline two\ttab" },
  NUL_TEXT,
  { detail: "control character", text: "bell\u0007 and escape\u001b[31m" },
  { detail: "zero-width characters", text: "a\u200bb\u2060c\ufeffd" },
];

/** Texts whose blanks a careful service may trim: that they stay is no more than expected. */
export const BLANK_TEXTS: { detail: string; text: string }[] = [
  { detail: "blanks only", text: "   " },
  { detail: "blanks at the ends", text: "  blanks at both ends  " },
];
