/** Measures JSON before parsing, which takes far more memory. */

/** The most levels of nesting, since more could exhaust the stack. RFC 8259 section 9 allows a limit. */
export const DEEPEST_LEVEL = 500;

export interface JsonSize {
  depth: number;
  values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const BEFORE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Counts depth and values of JSON without parsing it. */
export function jsonSize(body: Buffer): JsonSize {
  const size = { depth: 0, values: 0 };
  let index = 0;
  while (BEFORE.has(body[index] ?? 0)) index++;
  if (!OPENING.has(body[index] ?? 0)) return size;
  let depth = 0;
  for (; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === QUOTE) index = endOfText(body, index);
    else if (byte === COMMA) size.values++;
    else if (OPENING.has(byte)) {
      size.values++;
      size.depth = Math.max(size.depth, ++depth);
    } else if (CLOSING.has(byte)) depth--;
  }
  return size;
}

/** Returns how many items of the `result` the text shows at least. */
export function itemsBegun(text: string): number {
  let depth = 0;
  let key = "";
  let isResult = false;
  let items = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      const end = endOfQuoted(text, index);
      if (depth === 1) key = text.slice(index + 1, end);
      index = end;
    } else if (character === "[" || character === "{") {
      depth++;
      if (depth === 2) isResult = character === "[" && key === "result";
    } else if (character === "]" || character === "}") depth--;
    else if (character === "," && depth === 2 && isResult) items = Math.max(items, 1) + 1;
  }
  return items;
}

function endOfQuoted(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}

function endOfText(body: Buffer, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}
