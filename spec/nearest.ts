import { closestMatch } from "leven";

/** What is longer is no slip of the pen, and takes long to compare. */
const LONGEST_WORD = 1_000;

/** The candidate that takes the fewest edits to reach, whatever its casing; undefined when there is none. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const known = [...candidates];
  const folded = known.map((candidate) => candidate.toLowerCase());
  // Beyond half of its letters, what is nearest is another word and no suggestion.
  const maxDistance = Math.max(2, Math.floor(word.length / 2));
  const closest = closestMatch(word.toLowerCase(), folded, { maxDistance });
  return closest === undefined ? undefined : known[folded.indexOf(closest)];
}

/** `; did you mean X?`, or nothing when there are no candidates: the end of every complaint about an unknown word. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const closest = nearest(word, candidates);
  return closest === undefined ? "" : `; did you mean ${closest}?`;
}
