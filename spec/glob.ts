import picomatch from "picomatch";
import { UsageError } from "./usage-error.ts";

/** No name that a pattern is for is nearly as long; the library that reads patterns has a limit of its own. */
const LONGEST_PATTERN = 5_000;

/**
 * Matches text against patterns: a text matches when it equals one of them, or one of them as a glob. Ids and
 * operations hold slashes, spaces and braces, so `*` runs across all of them (`GET *`, `lists/*`), and a name
 * that happens to look like a glob (`GET /banks/{idOrCode}`) still matches itself. Throws UsageError on a pattern that
 * is too long for any name.
 */
export function globMatcher(patterns: string[]): (text: string) => boolean {
  const long = patterns.find((pattern) => pattern.length > LONGEST_PATTERN);
  if (long !== undefined)
    throw new UsageError(
      `the pattern ${long.slice(0, 40)}… has ${long.length} characters, and at most ${LONGEST_PATTERN} are taken`,
    );
  const exact = new Set(patterns);
  const globs = patterns
    .filter((pattern) => pattern !== "")
    .map((pattern) => picomatch(pattern, { bash: true, dot: true, nonegate: true, noextglob: true }));
  return (text) => exact.has(text) || globs.some((matches) => matches(text));
}
