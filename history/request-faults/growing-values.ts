import { memoized } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { Entry, Head } from "../entry.ts";
import { ValuesInHistory } from "./values-in-history.ts";

const TOKENS = ["token 1", "token 2"];

/** Knows the values of a run's history, which grows. Each entry is read once. */
class GrowingValues {
  readonly #values: ValuesInHistory;
  #seen: readonly Entry[] = [];

  constructor(spec: Spec, head: Head) {
    this.#values = valuesIn(spec, head, []);
  }

  /** Returns what these entries sent and showed, or `undefined` if it knows other or more entries. */
  upTo(entries: readonly Entry[]): ValuesInHistory | undefined {
    const count = this.#seen.length;
    const areKnown = entries[0] === (this.#seen[0] ?? entries[0]);
    if (count > entries.length || !areKnown || entries[count - 1] !== this.#seen.at(-1)) return undefined;
    this.#values.add(entries.slice(count));
    this.#seen = entries;
    return this.#values;
  }
}

const growing = memoized((head: Head, spec: Spec) => new GrowingValues(spec, head));

/** Returns the values of the entries, if they are a run's and no longer history of it was asked for before. */
export function knownSoFar(spec: Spec, head: Head, entries: readonly Entry[]): ValuesInHistory | undefined {
  return head.runTag === null ? undefined : growing(head, spec).upTo(entries);
}

export function valuesIn(
  spec: Spec,
  { spaces, fixtures, runTag }: Head,
  entries: readonly Entry[],
): ValuesInHistory {
  const known = spaces.flatMap((space) => TOKENS.map((token) => ({ space, token })));
  return new ValuesInHistory(spec, { spaces: known, fixtures, runTag }, entries);
}
