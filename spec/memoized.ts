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
    const results = keptIn(known, from, () => new Map<unknown, T>());
    const key = keyOf(at);
    // A result may be undefined.
    if (!results.has(key)) results.set(key, derive(from, at));
    return results.get(key) as T;
  };
}

/** Returns the value that is kept under the key. Without one, makes it and keeps it. */
export function keptIn<Key, Value>(
  kept: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
