export const SHORTEST_PART = 8;

const SHORTEST_FORM = 4;

export interface PlainReading {
  text: string;
  /** Index in the original text for each UTF-16 unit of `text`; `to` is exclusive. */
  from: Uint32Array;
  to: Uint32Array;
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };
const ESCAPES =
  /((?:%[0-9a-f]{2})+)|\\+u\{([0-9a-f]{1,6})\}|\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&(amp|quot|apos|lt|gt);|((?:\\+[0-3][0-7]{2})+)|\\+[nrt](?![a-z])|\\+(?=["/\\])/gi;
/** At least eight numbers in a row, as a JSON array of bytes has them. */
const BYTE_LIST = /\d{1,3}(?:\s*,\s*\d{1,3}){7,}/g;
const UNSEEN_CHARACTERS = /[\s\0\u00ad\u200b-\u200d\u2060\ufeff]+/g;
const ENCODING_LAYERS = 2;

/** Decodes one escape: a percent code, a JSON or JavaScript escape, or an HTML entity. */
function characterOf(match: RegExpExecArray): string {
  const [whole, percent, braced, four, two, hex, decimal, name, octal] = match;
  if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString("utf8");
  if (octal !== undefined) return bytesOf(octal.match(/[0-7]{3}/g), 8);
  if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
  const digits = braced ?? four ?? two ?? hex;
  const code = digits === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function bytesOf(numbers: readonly string[] | null, radix: number): string {
  return Buffer.from((numbers ?? []).map((digits) => Number.parseInt(digits, radix))).toString("utf8");
}

function textOfByteList(numbers: string): string {
  return bytesOf(numbers.match(/\d+/g), 10);
}

/** Returns the text in lower case, without encodings and invisible characters. */
export function withoutEncodings(text: string): string {
  let plain = text;
  for (let layer = 0; layer < ENCODING_LAYERS; layer++) plain = withoutOneEncoding(plain);
  return plain.replace(BYTE_LIST, textOfByteList).replace(UNSEEN_CHARACTERS, "").toLowerCase();
}

/** Returns the text with each escape replaced by its characters once, so that double encoding needs two calls. */
function withoutOneEncoding(text: string): string {
  if (!/[%&\\]/.test(text)) return text;
  let plain = "";
  let end = 0;
  for (const match of text.matchAll(ESCAPES)) {
    plain += text.slice(end, match.index) + characterOf(match);
    end = match.index + match[0].length;
  }
  return plain + text.slice(end);
}

/** Returns the text without encodings, with the place of each character in the original. */
export function readingOf(text: string): PlainReading {
  const from = new Uint32Array(text.length).map((_, index) => index);
  let reading: PlainReading = { text, from, to: from.map((index) => index + 1) };
  for (let layer = 0; layer < ENCODING_LAYERS; layer++)
    reading = withReplacements(reading, ESCAPES, characterOf);
  reading = withReplacements(reading, BYTE_LIST, ([numbers]) => textOfByteList(numbers));
  reading = withReplacements(reading, UNSEEN_CHARACTERS, () => "");
  const lower = reading.text.toLowerCase();
  // A few capital letters are two characters in lower case.
  if (lower.length === reading.text.length) return { ...reading, text: lower };
  return withReplacements(reading, /\p{Lu}/gu, ([letter = ""]) => letter.toLowerCase());
}

/** Replaces the matches, and keeps for each character of the new text its place in the original text. */
function withReplacements(
  reading: PlainReading,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
): PlainReading {
  const matches = [...reading.text.matchAll(pattern)];
  if (matches.length === 0) return reading;
  const texts = matches.map(by);
  const length = matches.reduce(
    (sum, [whole], index) => sum - whole.length + (texts[index]?.length ?? 0),
    reading.text.length,
  );
  const next = { text: "", from: new Uint32Array(length), to: new Uint32Array(length) };
  const keep = (begin: number, end: number) => {
    next.from.set(reading.from.subarray(begin, end), next.text.length);
    next.to.set(reading.to.subarray(begin, end), next.text.length);
    next.text += reading.text.slice(begin, end);
  };
  let end = 0;
  for (const [index, match] of matches.entries()) {
    keep(end, match.index);
    end = match.index + match[0].length;
    const begun = next.text.length;
    next.text += texts[index] ?? "";
    next.from.fill(reading.from[match.index] ?? 0, begun, next.text.length);
    next.to.fill(reading.to[end - 1] ?? 0, begun, next.text.length);
  }
  keep(end, reading.text.length);
  return next;
}

/** Returns base64 at three offsets, without the characters that adjacent bytes change. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const core = whole.slice(first, last);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Returns the forms of a secret to look for: the whole and, with `parts`, its pieces. */
export function recognizableForms(secret: string, parts: boolean): string[] {
  const plain = withoutEncodings(secret);
  const pieces = parts && plain.length > SHORTEST_PART ? piecesOf(secret) : [secret];
  const forms = pieces.flatMap((piece) => [
    withoutEncodings(piece),
    Buffer.from(piece, "utf8").toString("hex"),
    ...base64Cores(Buffer.from(piece, "utf8")).map((core) => core.toLowerCase()),
  ]);
  // Without its last byte, ASCII is in UTF-16 of either byte order.
  const wide = base64Cores(Buffer.from(secret, "utf16le").subarray(0, -1));
  return [
    ...new Set(
      [...forms, ...wide.map((core) => core.toLowerCase())].filter((form) => form.length >= SHORTEST_FORM),
    ),
  ];
}

function piecesOf(secret: string): string[] {
  return Array.from({ length: secret.length - SHORTEST_PART + 1 }, (_, index) =>
    secret.slice(index, index + SHORTEST_PART),
  );
}
