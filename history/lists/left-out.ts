/** Fewer ids may have the same order by chance. */
export const FEWEST_IN_ORDER = 5;

/** Returns the ids of `whole` that `part` skips, or none if the order may differ. */
export function skippedOver(whole: string[], part: string[]): string[] {
  const places = part.map((id) => whole.indexOf(id));
  const beyond = places.findIndex((_, index) => places.slice(index).every((place) => place === -1));
  const within = beyond === -1 ? places : places.slice(0, beyond);
  const inOrder = within.every((place, index) => place > (within[index - 1] ?? -1));
  if (!inOrder || within.length < FEWEST_IN_ORDER) return [];
  return without(whole.slice(0, within.at(-1)), part);
}

/** Returns the ids that the others lack. */
export function without(ids: string[], others: string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}
