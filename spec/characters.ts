/** Counting characters of texts that may be of any length. */

const segmenter = new Intl.Segmenter();

/** Whether a text has more than `limit` characters by every count of them: graphemes are the fewest. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  // Counted no further than it matters: each segment takes far more memory than its characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
