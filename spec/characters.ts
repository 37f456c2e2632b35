const segmenter = new Intl.Segmenter();
/** Texts of these characters have one grapheme for each character. */
const ASCII = /^[\x20-\x7e]*$/;

/** True if the text is longer than the limit in every way of counting. Graphemes are the fewest. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // Stops at the limit, because a segment takes far more memory than its characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
