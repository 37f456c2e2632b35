/** The ways in which a secret may be written, and how a text reads once such writing is undone. */

/** A part of a secret token that is as long as this says too much of it. */
const SHORTEST_PART = 8;

/** What is left of a secret once its casing, escapes and blanks are undone must be this long to be looked for. */
const SHORTEST_FORM = 4;

/** Shorter texts, and such as hold blanks or no digits, may be words: a part of them gives nothing away. */
const TOKEN_LIKE = /^(?=.*\d)(?=.*[a-z])\S{16,}$/i;

/** Whether a secret is random enough for a part of it to stand nowhere by chance. */
export function isTokenLike(secret: string): boolean {
  return TOKEN_LIKE.test(secret);
}

/** A text as it reads without casing, escapes and white space, and where each character of that came from. */
export interface PlainReading {
  text: string;
  /** For each UTF-16 unit of `text`: where in the original it begins, and where it ends (exclusive). */
  from: number[];
  to: number[];
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };
const ESCAPES =
  /((?:%[0-9a-f]{2})+)|\\+u\{([0-9a-f]{1,6})\}|\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&(amp|quot|apos|lt|gt);|\\+[nrt](?![a-z])|\\+(?=["/\\])/gi;
/** White space, and what is not seen at all. */
const UNSEEN = /[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g;
/** What is escaped may be escaped again. */
const LAYERS = 2;

/** What one match of an escape stands for. */
function unescaped(match: RegExpExecArray): string {
  const [whole, percent, braced, four, two, hex, decimal, name] = match;
  if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString("utf8");
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const digits = braced ?? four ?? two ?? hex;
  const code = digits === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** A text with casing, escapes and white space undone, without the places: the quick form of `readingOf`. */
export function plainly(text: string): string {
  let plain = text;
  for (let layer = 0; layer < LAYERS; layer++) plain = unfold(plain);
  return plain.replace(UNSEEN, "").toLowerCase();
}

function unfold(text: string): string {
  if (!/[%&\\]/.test(text)) return text;
  let plain = "";
  let end = 0;
  for (const match of text.matchAll(ESCAPES)) {
    plain += text.slice(end, match.index) + unescaped(match);
    end = match.index + match[0].length;
  }
  return plain + text.slice(end);
}

/** A text with casing, escapes and white space undone, and the place of every character. */
export function readingOf(text: string): PlainReading {
  let reading: PlainReading = {
    text,
    from: Array.from({ length: text.length }, (_, index) => index),
    to: Array.from({ length: text.length }, (_, index) => index + 1),
  };
  for (let layer = 0; layer < LAYERS; layer++) reading = replaced(reading, ESCAPES, unescaped);
  reading = replaced(reading, UNSEEN, () => "");
  return replaced(reading, /\p{Lu}/gu, ([letter = ""]) => letter.toLowerCase());
}

/** A reading in which every match is replaced; what it is replaced by has the place of the whole match. */
function replaced(
  reading: PlainReading,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
): PlainReading {
  const next: PlainReading = { text: "", from: [], to: [] };
  const keep = (from: number, to: number) => {
    next.text += reading.text.slice(from, to);
    for (let index = from; index < to; index++) {
      next.from.push(reading.from[index] ?? 0);
      next.to.push(reading.to[index] ?? 0);
    }
  };
  let end = 0;
  for (const match of reading.text.matchAll(pattern)) {
    keep(end, match.index);
    end = match.index + match[0].length;
    const text = by(match);
    next.text += text;
    for (let index = 0; index < text.length; index++) {
      next.from.push(reading.from[match.index] ?? 0);
      next.to.push(reading.to[end - 1] ?? 0);
    }
  }
  keep(end, reading.text.length);
  return next;
}

/**
 * What base64 makes of a text wherever it stands in a longer one: at each of the three alignments, without the
 * characters that its neighbours have a part in.
 */
function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
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

/** Texts, as `plainly` gives them, whose presence gives a secret away. */
export function tellingForms(secret: string, parts: boolean): string[] {
  const plain = plainly(secret);
  const pieces = parts && plain.length > SHORTEST_PART ? piecesOf(secret) : [secret];
  const forms = pieces.flatMap((piece) => [
    plainly(piece),
    Buffer.from(piece, "utf8").toString("hex"),
    ...base64Cores(piece).map((core) => core.toLowerCase()),
  ]);
  return [...new Set(forms.filter((form) => form.length >= SHORTEST_FORM))];
}

function piecesOf(secret: string): string[] {
  return Array.from({ length: secret.length - SHORTEST_PART + 1 }, (_, index) =>
    secret.slice(index, index + SHORTEST_PART),
  );
}
