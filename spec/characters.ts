const segmenter = new Intl.Segmenter();
/** Each character of these texts is one grapheme. */
const ASCII = /^[\x20-\x7e]*$/;

/** No way of counting gives fewer characters than graphemes. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // A segment takes far more memory than its characters.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
