const segmenter = new Intl.Segmenter();

/**
 * True if a text has more than `limit` characters however they are counted. Counting graphemes gives the
 * smallest number.
 */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  // Stops as soon as possible, because a segment takes far more memory than its characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
