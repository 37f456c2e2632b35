import { memoized } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { Entry, Head } from "../entry.ts";
import { type UserFacts, ValuesInHistory } from "./values-in-history.ts";

const FIRST_TOKEN = "token 1";
const SECOND_TOKEN = "token 2";

/** Knows the values of a run's history, which grows. Each entry is read once. */
class GrowingValues {
  readonly #facts: UserFacts;
  readonly #values: ValuesInHistory;
  #seen: readonly Entry[] = [];

  constructor(
    spec: Spec,
    private readonly head: Head,
  ) {
    this.#facts = factsOf(head, []);
    this.#values = new ValuesInHistory(spec, this.#facts, []);
  }

  /** Returns what these entries sent and showed, or `undefined` if it knows other or more entries. */
  upTo(entries: readonly Entry[]): ValuesInHistory | undefined {
    const count = this.#seen.length;
    const areKnown = entries[0] === (this.#seen[0] ?? entries[0]);
    if (count > entries.length || !areKnown || entries[count - 1] !== this.#seen.at(-1)) return undefined;
    const added = entries.slice(count);
    if (added.some(usesSecondToken)) this.#facts.spaces = factsOf(this.head, added).spaces;
    this.#values.add(added);
    this.#seen = entries;
    return this.#values;
  }
}

const growing = memoized((head: Head, spec: Spec) => new GrowingValues(spec, head));

/** Returns the values of the entries, if they are a run's and no longer history of it was asked for before. */
export function knownSoFar(spec: Spec, head: Head, entries: readonly Entry[]): ValuesInHistory | undefined {
  return head.runTag === null ? undefined : growing(head, spec).upTo(entries);
}

export function valuesIn(spec: Spec, head: Head, entries: readonly Entry[]): ValuesInHistory {
  return new ValuesInHistory(spec, factsOf(head, entries), entries);
}

/** Returns what the user named. A second token is good in the second space, and the first perhaps not. */
function factsOf({ spaces, fixtures, runTag }: Head, entries: readonly Entry[]): UserFacts {
  const ofOthers = entries.some(usesSecondToken) ? SECOND_TOKEN : FIRST_TOKEN;
  const known = spaces.map((space, index) => ({ space, token: index === 0 ? FIRST_TOKEN : ofOthers }));
  return { spaces: known, fixtures, runTag };
}

function usesSecondToken({ credential }: Entry): boolean {
  return credential.token === SECOND_TOKEN;
}
