import picomatch from "picomatch";

/**
 * Matches text against patterns: a text matches when it equals one of them, or one of them as a glob. Ids and
 * operations hold slashes, spaces and braces, so `*` runs across all of them (`GET *`, `lists/*`), and a name
 * that happens to look like a glob (`GET /banks/{idOrCode}`) still matches itself.
 */
export function globMatcher(patterns: string[]): (text: string) => boolean {
  const exact = new Set(patterns);
  const globs = patterns
    .filter((pattern) => pattern !== "")
    .map((pattern) => picomatch(pattern, { bash: true, dot: true, nonegate: true, noextglob: true }));
  return (text) => exact.has(text) || globs.some((matches) => matches(text));
}
