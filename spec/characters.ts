const segmenter = new Intl.Segmenter();
/** Matches texts in which each character is one grapheme. */
const ASCII = /^[\x20-\x7e]*$/;

/** True if the text is too long in every way of counting. Graphemes are the fewest. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // Stops at the limit: a segment takes far more memory than its characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
