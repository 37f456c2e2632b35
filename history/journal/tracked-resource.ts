import { definedOnly } from "../../spec/defined-only.ts";
import { addTo, groupedBy } from "../../spec/grouped.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import {
  type Entry,
  fixtureIds,
  type Head,
  isAccepted,
  isInSpace,
  isOrdinary,
  isRejected,
  objectSent,
  pathId,
  startsWithin,
} from "../entry.ts";
import type { Candidate, FieldState, OneWayChange, Sighting, Write } from "./sightings.ts";

interface Origin {
  id: string;
  ownId: string;
  space: string | null;
  made: Entry | null;
  /** The create or update that shows the space. A fixture has none. */
  proof?: Entry | null;
}

export class TrackedResource {
  /** With the ids of the parents: `parent/id`. If two spaces have this id, the second is `idInSpace`. */
  readonly id: string;
  readonly ownId: string;
  readonly space: string | null;
  readonly owner: "run" | "fixture";
  readonly made: Entry | null;
  /** The keys come from `FieldValues.keyOf`: a secret has several. */
  readonly fields = new Map<string, FieldState>();
  readonly formerValues = new Map<string, Candidate[]>();
  readonly writes: Write[] = [];
  /** True after a one-way change, even an unanswered one. */
  consumed = false;
  oneWay: OneWayChange | undefined;
  /** For each volatile field, the answer that showed a change without a write. */
  readonly volatile = new Map<string, Entry>();
  /** Counts the unexpected values of each field. */
  readonly changeCounts = new Map<string, number>();
  /** Fields that were unknown before the latest update: a late read may show any older value. */
  readonly hadUnknown = new Set<string>();
  readonly #forgottenBy = new Map<string, Entry>();
  readonly #openMismatches = new Map<string, Sighting[]>();

  readonly #isOfAnySpace: boolean;
  readonly #consistencyTimeoutMs: number;

  constructor({ id, ownId, space, made, proof = made }: Origin, { consistencyTimeoutMs }: Head) {
    this.id = id;
    this.ownId = ownId;
    this.space = space;
    this.owner = made === null ? "fixture" : "run";
    this.made = made;
    this.#isOfAnySpace = proof !== null && proof.operation?.space === undefined;
    this.#consistencyTimeoutMs = consistencyTimeoutMs;
  }

  get names(): string[] {
    return [...new Set([...this.fields.keys()].map(nameIn))];
  }

  /** True if the request names the space of the resource, or one of them has no space. */
  isInSpaceOf(entry: Entry): boolean {
    return this.#isOfAnySpace || isInSpace(entry, this.space);
  }

  /** Returns how the write ended. After a rate limit that is unknown, and in another space it is rejected. */
  outcomeOf(entry: Entry): Write["outcome"] {
    if (isRejected(entry)) return "rejected";
    if (this.isInSpaceOf(entry)) return isAccepted(entry) ? "accepted" : "unknown";
    // Without an optional space, a service may take any.
    const isOpen = entry.operation?.space?.required !== true && [entry.space, this.space].includes(null);
    return isOpen ? "unknown" : "rejected";
  }

  /** True if a write ended after `begun`, a position in the history. */
  isWrittenSince(begun: number): boolean {
    return this.writes.some(({ entry, outcome }) => outcome !== "rejected" && entry.ended > begun);
  }

  /** Returns the value of the latest update that was not rejected, or of the create. */
  lastSent(field: string): unknown {
    const write = this.writes.findLast(({ outcome, sent }) => outcome !== "rejected" && field in sent);
    const sent = write?.sent ?? (this.made && objectSent(this.made));
    return sent?.[field];
  }

  /** Notes the values that a create sent and showed. */
  begin(key: string, candidates: Candidate[], lastShown: Entry): void {
    this.fields.set(key, { ...UNREAD, candidates, isChange: true, lastShown });
  }

  /** Notes the values of overlapping updates. Unless `isCertain`, the old value stays possible. */
  set(
    name: string,
    values: unknown[],
    setBy: Entry,
    isCertain: boolean,
    isSame: (known: Candidate) => boolean,
  ): void {
    this.resolveOpen(name, "open");
    const before = this.fields.get(name);
    // A late answer may have shown the known value, so an unanswered update leaves any value possible.
    if (!isCertain && before?.is === "known" && before.learnedAfter) {
      this.forget(name, setBy);
      return;
    }
    const replaced = isCertain && values.length === 1 ? readValue(before) : undefined;
    const candidates: Candidate[] = values.map((value) => ({ value, form: "sent" }));
    if (before?.is === "known") {
      addTo(this.formerValues, name, ...before.candidates);
      if (!isCertain) candidates.push(...before.candidates);
      if (this.isDoubted(name)) this.hadUnknown.add(name);
    } else {
      this.hadUnknown.add(name);
      if (!isCertain) {
        // A late read may lack a field that was never shown before.
        if (before === undefined) addTo(this.formerValues, name, { value: undefined, form: "shown" });
        return;
      }
    }
    const isChange = before?.is === "known" && !before.candidates.some(isSame);
    this.fields.set(name, { ...UNREAD, candidates, isChange, setBy, ...definedOnly({ replaced }) });
  }

  /** True if former members are back: a service may merge the sent map into the present one, but not more. */
  bringsBack(
    name: string,
    { candidates: [sent], replaced }: FieldState & { is: "known" },
    shown: unknown,
  ): boolean {
    if (sent?.form !== "sent" || !isObject(sent.value) || !isObject(shown) || !isObject(replaced))
      return false;
    const kept = new Set([sent.value, replaced].flatMap((map) => Object.keys(map).map(inLowerCase)));
    const others = Object.entries(shown).filter(([member]) => !kept.has(inLowerCase(member)));
    const former = (this.formerValues.get(name) ?? []).map(({ value }) => value).filter(isObject);
    return others.some(([member, value]) =>
      former.some((map) => member in map && sameJson(map[member], value)),
    );
  }

  /** Notes that the field may have any value now. */
  forget(name: string, by: Entry): void {
    this.resolveOpen(name, "open");
    this.#forgottenBy.set(name, by);
    const states = [...this.fields].filter(([key]) => key === name || key.startsWith(`${name} `));
    if (states.every(([, { is }]) => is === "unknown")) this.hadUnknown.add(name);
    for (const [key, state] of states) {
      if (state.is === "known") addTo(this.formerValues, name, ...state.candidates);
      this.fields.delete(key);
    }
    this.fields.set(name, { is: "unknown" });
  }

  /** Returns the last write that may have given the field any value. */
  forgottenBy(name: string): Entry | undefined {
    return this.#forgottenBy.get(name);
  }

  forgetAll(names: readonly string[], by: Entry): void {
    for (const name of names) this.forget(name, by);
  }

  /** Notes a value that the field may have had briefly. */
  addFormerValue(name: string, value: unknown): void {
    addTo(this.formerValues, name, { value, form: "sent" });
  }

  /** Notes the first shown value of an unknown field. */
  learn(key: string, value: unknown, lastShown: Entry, isRead: boolean): void {
    const name = nameIn(key);
    const forgottenBy = this.#forgottenBy.get(name) ?? null;
    // The answer to the write itself is never late.
    const learnedAfter = forgottenBy === lastShown ? null : forgottenBy;
    this.fields.set(key, {
      ...UNREAD,
      candidates: [{ value, form: "shown" }],
      reads: 1,
      lastShown,
      learnedAfter,
      isOnlyAnswered: !isRead,
      isAnswered: !isRead,
    });
    const isSure = learnedAfter !== null && !this.isDoubted(key);
    if (forgottenBy === null || isSure) this.hadUnknown.delete(name);
  }

  /** Makes the shown value the only possible one. */
  adopt(key: string, value: unknown, by: Entry, { fits, isRead }: { fits: boolean; isRead: boolean }): void {
    const known = this.fields.get(key);
    if (known?.is !== "known") return;
    this.fields.set(key, {
      ...known,
      candidates: [{ value, form: "shown" }],
      lastShown: isRead ? by : known.lastShown,
      reads: fits && isRead ? known.reads + 1 : known.reads,
      isOnlyAnswered: known.isOnlyAnswered === true && !isRead,
      isAnswered: !isRead || (fits && known.isAnswered === true),
    });
  }

  /** True if the value was learned from an answer that may have been late. */
  isDoubted(key: string): boolean {
    const state = this.fields.get(key);
    if (state?.is !== "known" || !state.learnedAfter || !state.lastShown) return false;
    return startsWithin(state.lastShown, state.learnedAfter, this.#consistencyTimeoutMs);
  }

  /** True if a later read may show another of the possible values. */
  mayBeOvertaken(key: string, read: Entry): boolean {
    const state = this.fields.get(key);
    if (state?.is !== "known" || state.setBy === null || state.candidates.length < 2) return false;
    return startsWithin(read, state.setBy, this.#consistencyTimeoutMs);
  }

  keepOpen(mismatch: Sighting): void {
    addTo(this.#openMismatches, mismatch.field, mismatch);
  }

  /** Settles the open mismatches of the field: `late` if a read now shows the expected value. */
  resolveOpen(name: string, standing: "late" | "open"): void {
    for (const sighting of this.#openMismatches.get(name) ?? []) {
      const isWrongAnswer = standing === "late" && sighting.view.shows === "answer";
      sighting.standing = isWrongAnswer ? "suspected" : standing;
    }
    this.#openMismatches.delete(name);
  }
}

const UNREAD = {
  is: "known",
  isChange: false,
  learnedAfter: null,
  reads: 0,
  setBy: null,
  lastShown: null,
} as const;

/** Returns the only possible value, if an answer to a write and a read showed it. */
function readValue(state: FieldState | undefined): unknown {
  if (state?.is !== "known" || state.isOnlyAnswered || !state.isAnswered || !state.lastShown)
    return undefined;
  const [known, ...others] = state.candidates;
  return others.length === 0 && known?.form === "shown" ? known.value : undefined;
}

function inLowerCase(name: string): string {
  return name.toLowerCase();
}

/** Returns the field of a key from `FieldValues.keyOf`. */
function nameIn(key: string): string {
  const [name = key] = key.split(" ");
  return name;
}

/** Names a resource if two spaces have one with its id. */
export function idInSpace(id: string, space: string | null | undefined): string {
  return `${id} in ${space}`;
}

/** Returns the updates in groups of one resource. In recorded traffic, each space may have a resource with this id. */
export function updatesOfOne({ runTag }: Head, updates: readonly Entry[]): Iterable<readonly Entry[]> {
  const areNamed = updates.every((entry) => entry.space !== null || isRejected(entry));
  return runTag === null && areNamed ? groupedBy(updates, ({ space }) => space).values() : [updates];
}

/** Returns a resource that a fixture names or an accepted update proves. */
export function updatedResource(
  head: Head,
  id: string,
  updates: readonly Entry[],
): TrackedResource | undefined {
  const given = fixtureIds(head);
  const fixture = updates.find((entry) => given.includes(pathId(entry) ?? ""));
  const first = fixture ?? updates.find((entry) => isAccepted(entry) && isOrdinary(entry, head));
  if (!first) return undefined;
  const place = fixture ? { space: head.spaces[0] ?? null } : { space: first.space, proof: first };
  return new TrackedResource({ id, ownId: pathId(first) ?? id, made: null, ...place }, head);
}
