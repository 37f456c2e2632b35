/** Measures JSON before parsing, which takes far more memory. */

/** The most levels of nesting, since more could exhaust the stack. RFC 8259 section 9 allows a limit. */
export const DEEPEST_LEVEL = 500;

/** By how much each mark changes the depth. */
const MARKS: ReadonlyMap<string, number> = new Map([
  ["[", 1],
  ["{", 1],
  ["]", -1],
  ["}", -1],
  [",", 0],
]);

/** Visits the brackets and commas outside of quoted texts, with the depth after each, until `visit` returns false. */
function visitMarks(text: string, visit: (index: number, depth: number) => boolean | undefined): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') index = endOfQuoted(text, index);
    const change = MARKS.get(character);
    if (change === undefined) continue;
    depth += change;
    if (visit(index, depth) === false) return;
  }
}

function endOfQuoted(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}

/** Counts depth and values of JSON without parsing it. The text may be the bytes of UTF-8 as `latin1`. */
export function jsonSize(text: string): { depth: number; values: number } {
  const size = { depth: 0, values: 0 };
  if (!/^[ \t\n\r\uFEFF\xef\xbb\xbf]*[[{]/.test(text)) return size;
  visitMarks(text, (index, depth) => {
    if (!"]}".includes(text.charAt(index))) size.values++;
    size.depth = Math.max(size.depth, depth);
    return true;
  });
  return size;
}

/** True for brackets nested so deep that parsing could overflow the stack. */
export function isTooDeep(text: string): boolean {
  let deepest = 0;
  visitMarks(text, (_, depth) => {
    deepest = Math.max(deepest, depth);
    return deepest <= DEEPEST_LEVEL;
  });
  return deepest > DEEPEST_LEVEL;
}

/** The most characters of a key and the space around it. */
const LONGEST_KEY = 100;

/** Returns how many items of the `result` the text shows at least. */
export function itemsBegun(text: string): number {
  let isResult = false;
  let items = 0;
  visitMarks(text, (index, depth) => {
    const mark = text.charAt(index);
    if (depth === 2 && "[{".includes(mark)) {
      const before = text.slice(Math.max(0, index - LONGEST_KEY), index);
      isResult = mark === "[" && /(?<!\\)"result"\s*:\s*$/.test(before);
    }
    if (mark === "," && depth === 2 && isResult) items = Math.max(items, 1) + 1;
    return true;
  });
  return items;
}
