/** Texts that go wrong in careless services: legal all of them, and short enough by every way of counting. */

import fc from "fast-check";

/** Texts that read like values of another type, and are taken for them where they stand alone. */
const LOOKALIKES = ["null", "0012.50", "true", "-1e5"];

/** Pieces of text that real services have mangled. */
const AWKWARD = [
  `O'Brien & Söhne "GmbH"`,
  "<script>alert(1)</script>",
  "&lt;b&gt; &amp;amp;",
  "Robert'); DROP TABLE payments;--",
  "100% + 50% = 150%; a=b&c=d",
  "\\n \\u0041 C:\\temp\\new",
  "{{name}} $(name) %s %d",
  "💸👩‍👩‍👧🇬🇭",
  "مدفوعات ‏RTL",
  "e\u0301a\u0308 \u00e9\u00e4",
  "ÿþ Ünïcødé ß",
  "中文支付 日本語",
  ...LOOKALIKES,
  "a  b   c",
  "#$@!?~^*()[]|;:,.",
  "ends with a blank ",
];

/** Cut so that neither code points, UTF-16 units nor bytes exceed `bytes`; never inside a character. */
export function cutToBytes(text: string, bytes: number): string {
  let cut = "";
  let size = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    size += Buffer.byteLength(segment, "utf8");
    if (size > bytes) break;
    cut += segment;
  }
  return cut;
}

/** Text of printable characters of any script, at most `bytes` bytes long; never empty, no control characters. */
export function awkwardText(bytes: number): fc.Arbitrary<string> {
  const random = fc.string({ unit: "grapheme", minLength: 1, maxLength: 24 });
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...AWKWARD) }, { weight: 2, arbitrary: random })
    .map((text) => cutToBytes(text, bytes))
    .filter((text) => text.trim() !== "" && !hasControls(text));
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

/**
 * All the awkward pieces, several to a text of at most `bytes` bytes, so that few requests try every one of them.
 * A piece that ends in a blank ends its text.
 */
export function awkwardPacks(bytes: number): string[] {
  const packs: string[] = [];
  let pack = "";
  for (const piece of AWKWARD.map((text) => cutToBytes(text, bytes))) {
    const longer = pack === "" ? piece : `${pack} ${piece}`;
    if (Buffer.byteLength(longer, "utf8") <= bytes && !pack.endsWith(" ")) pack = longer;
    else {
      packs.push(pack);
      pack = piece;
    }
  }
  return [...packs, pack].filter((text) => text.trim() !== "");
}

/** Free-form attributes with every awkward name: the first ones hold `text`, the last ones a lookalike each, alone. */
export function awkwardMap(text: string): Record<string, string> {
  const texts = METADATA_NAMES.length - LOOKALIKES.length;
  return Object.fromEntries(METADATA_NAMES.map((name, index) => [name, LOOKALIKES[index - texts] ?? text]));
}

/** Text for a path segment that surely names nothing; neither empty nor a dot segment. */
export function awkwardId(): fc.Arbitrary<string> {
  return awkwardText(60).filter((text) => !/^\.+$/.test(text));
}

/** Idempotency keys of letters, digits and hyphens, `length` characters long. */
export function idempotencyKey(length: { min: number; max: number }): fc.Arbitrary<string> {
  const unit = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-");
  return fc.string({ unit, minLength: length.min, maxLength: length.max });
}

const METADATA_NAMES = ["note", "orderId", "Customer Ref", "clé", "x.y", "a/b", "UPPER", "snake_case", "0"];

/** Free-form attributes: a few names and text values. */
export function awkwardMetadata(): fc.Arbitrary<Record<string, string>> {
  const names = fc.constantFrom(...METADATA_NAMES);
  return fc.dictionary(names, awkwardText(60), { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

/** Values that a service may decline, but must show unchanged when it takes them. */
export const DECLINABLE_TEXTS: { detail: string; text: string }[] = [
  { detail: "line break and tab", text: "line one\nline two\ttab" },
  { detail: "control character", text: "bell\u0007 and escape\u001b[31m" },
  { detail: "zero-width characters", text: "a\u200bb\u2060c\ufeffd" },
  { detail: "blanks only", text: "   " },
];
