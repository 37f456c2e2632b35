/** Remembers what rules derive from a history, so that several of them may ask for it. */

import type { History } from "./history.ts";

/** A pure function of a history and a place that is called once for each. `keyOf` names the place. */
export function remembered<At, T>(
  derive: (history: History, at: At) => T,
  keyOf: (at: At) => unknown = (at) => at,
): (history: History, at: At) => T {
  const known = new WeakMap<History, Map<unknown, T>>();
  return (history, at) => {
    const results = known.get(history) ?? new Map<unknown, T>();
    known.set(history, results);
    const key = keyOf(at);
    const result = results.has(key) ? (results.get(key) as T) : derive(history, at);
    results.set(key, result);
    return result;
  };
}
