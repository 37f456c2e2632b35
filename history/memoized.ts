export function memoized<Past extends object, T>(derive: (history: Past) => T): (history: Past) => T;
export function memoized<Past extends object, At, T>(
  derive: (history: Past, at: At) => T,
  keyOf?: (at: At) => unknown,
): (history: Past, at: At) => T;
export function memoized<Past extends object, At, T>(
  derive: (history: Past, at: At) => T,
  keyOf: (at: At) => unknown = (at) => at,
): (history: Past, at: At) => T {
  const known = new WeakMap<Past, Map<unknown, T>>();
  return (history, at) => {
    const results = known.get(history) ?? new Map<unknown, T>();
    known.set(history, results);
    const key = keyOf(at);
    if (!results.has(key)) results.set(key, derive(history, at));
    return results.get(key) as T;
  };
}
