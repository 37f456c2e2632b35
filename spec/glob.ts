import picomatch from "picomatch";
import { UsageError } from "./usage-error.ts";

/** For a longer pattern, picomatch may throw an error of its own. */
const LONGEST_PATTERN = 5_000;

/**
 * Returns the test whether a text fits one of the patterns. The pattern `*` also matches slashes, spaces and
 * braces, which ids contain.
 * @throws UsageError if a pattern is too long
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
