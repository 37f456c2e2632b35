/** Returns `derive` with its results kept as long as `from` lives. Values of `at` with one key share a result. */
export function memoized<From extends object, T>(derive: (from: From) => T): (from: From) => T;
export function memoized<From extends object, At, T>(
  derive: (from: From, at: At) => T,
  keyOf?: (at: At) => unknown,
): (from: From, at: At) => T;
export function memoized<From extends object, At, T>(
  derive: (from: From, at: At) => T,
  keyOf: (at: At) => unknown = (at) => at,
): (from: From, at: At) => T {
  const known = new WeakMap<From, Map<unknown, T>>();
  return (from, at) => {
    const results = known.get(from) ?? new Map<unknown, T>();
    known.set(from, results);
    const key = keyOf(at);
    if (!results.has(key)) results.set(key, derive(from, at));
    return results.get(key) as T;
  };
}
