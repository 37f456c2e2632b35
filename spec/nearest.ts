import { closestMatch } from "leven";

const LONGEST_WORD = 1_000;

/** Returns the candidate that the word is probably a misspelling of, or `undefined` if none is close enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const known = [...candidates];
  const folded = known.map((candidate) => candidate.toLowerCase());
  // If half the letters differ, the user meant another word.
  const maxDistance = Math.max(2, Math.floor(word.length / 2));
  const closest = closestMatch(word.toLowerCase(), folded, { maxDistance });
  return closest === undefined ? undefined : known[folded.indexOf(closest)];
}

/** Returns `; did you mean limit?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const closest = nearest(word, candidates);
  return closest === undefined ? "" : `; did you mean ${closest}?`;
}
