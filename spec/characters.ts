const segmenter = new Intl.Segmenter();
/** Each character of these texts is one grapheme. */
const ASCII = /^[\x20-\x7e]*$/;

/** Counts graphemes, the unit with the smallest number. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // Segments take far more memory than their characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
