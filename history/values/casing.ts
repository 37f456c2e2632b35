/** True if only letter case and separators differ (`oneTime`, `one_time`). */
export function isSameInAnyCasing(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    String(value)
      .replace(/[_\-\s]/g, "")
      .toLowerCase();
  return typeof a === "string" && typeof b === "string" && plain(a) === plain(b);
}
