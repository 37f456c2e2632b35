const segmenter = new Intl.Segmenter();
/** Matches texts in which each character is one grapheme. */
const ASCII = /^[\x20-\x7e]*$/;

/** Counts in graphemes, the unit that gives the smallest number. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // All segments together take far more memory than the text.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
