/** Reads JSON like `JSON.parse`, but numbers beyond 2^53 stay different, because ids may be such numbers. */

/** Most texts have no such number, and need no search. */
const MAY_HOLD_LARGE = /(?:^|[[:,\s])-?[1-9]\d{15}/;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LARGE = /^-?[1-9]\d{15,}$/;

const known = new Map<string, number>();
const taken = new Set<number>();

/** @throws SyntaxError if the text is no JSON */
export function parseJson(text: string): unknown {
  if (!MAY_HOLD_LARGE.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(TEXT_OR_NUMBER, (token) => (LARGE.test(token) ? String(distinctNumber(token)) : token)),
  );
}

/** True for a number that stands for a text of digits, which may be another. */
export function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Returns the nearest double that stands for no other text. */
function distinctNumber(digits: string): number {
  const earlier = known.get(digits);
  if (earlier !== undefined) return earlier;
  const nearest = Number(digits);
  if (!isInexact(nearest)) return nearest;
  // A number further from zero might break a maximum.
  const below = nextFree(nearest, -1n);
  const value = isInexact(below) ? below : nextFree(nearest, 1n);
  known.set(digits, value);
  taken.add(value);
  return value;
}

function nextFree(nearest: number, step: 1n | -1n): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, nearest);
  while (taken.has(view.getFloat64(0))) view.setBigInt64(0, view.getBigInt64(0) + step);
  return view.getFloat64(0);
}
