import { isObject } from "../spec/json.ts";
import {
  type Entry,
  fixtureIds,
  type Head,
  isAccepted,
  isOrdinary,
  isRateLimited,
  isRejected,
  requestJson,
  startsWithin,
} from "./entry.ts";
import { pathId } from "./resource-kinds.ts";
import type { Candidate, FieldState, OneWayChange, Sighting, Write } from "./sightings.ts";

export class OwnResource {
  readonly id: string;
  readonly space: string | null;
  readonly owner: "run" | "fixture";
  readonly made: Entry | null;
  readonly fields = new Map<string, FieldState>();
  readonly had = new Map<string, Candidate[]>();
  readonly writes: Write[] = [];
  /** True after a one-way change, even if no answer told whether the service made the change. */
  consumed = false;
  oneWay: OneWayChange | undefined;
  readonly volatile = new Map<string, Entry>();
  readonly moves = new Map<string, number>();
  /** Fields whose value was unknown before the latest update. A late read may show any older value of them. */
  readonly hadUnknown = new Set<string>();
  readonly #forgottenBy = new Map<string, Entry>();
  readonly #openMismatches = new Map<string, Sighting[]>();

  constructor(id: string, space: string | null, made: Entry | null) {
    this.id = id;
    this.space = space;
    this.owner = made === null ? "fixture" : "run";
    this.made = made;
  }

  outcomeOf(entry: Entry): Write["outcome"] | undefined {
    if (isRejected(entry) || entry.space !== this.space) return "rejected";
    if (isAccepted(entry)) return "accepted";
    return isRateLimited(entry) ? undefined : "unknown";
  }

  /**
   * Returns the value that the latest update sent for the field, or else the value that the create sent. Rejected
   * updates do not count.
   */
  lastSent(field: string): unknown {
    const write = this.writes.findLast(({ outcome, sent }) => outcome !== "rejected" && field in sent);
    const sent = write?.sent ?? (this.made && requestJson(this.made));
    return isObject(sent) ? sent[field] : undefined;
  }

  set(
    name: string,
    values: unknown[],
    setBy: Entry,
    isCertain: boolean,
    isSame: (known: Candidate) => boolean,
  ): void {
    this.resolveOpen(name, "open");
    const before = this.fields.get(name);
    const candidates: Candidate[] = values.map((value) => ({ value, form: "sent" }));
    if (before?.is === "known") {
      this.#remember(name, before.candidates);
      if (!isCertain) candidates.push(...before.candidates);
    } else {
      this.hadUnknown.add(name);
      if (!isCertain) return;
    }
    const isChange = before?.is === "known" && !before.candidates.some(isSame);
    this.fields.set(name, {
      is: "known",
      candidates,
      isChange,
      reads: 0,
      setBy,
      lastShown: null,
      learnedAfter: null,
    });
  }

  forget(name: string, because: (FieldState & { is: "unknown" })["because"], by: Entry): void {
    this.resolveOpen(name, "open");
    this.#forgottenBy.set(name, by);
    const states = [...this.fields].filter(([key]) => key === name || key.startsWith(`${name} `));
    if (states.every(([, { is }]) => is === "unknown")) this.hadUnknown.add(name);
    for (const [key, state] of states) {
      if (state.is === "known") this.#remember(name, state.candidates);
      this.fields.delete(key);
    }
    this.fields.set(name, { is: "unknown", because });
  }

  forgetAll(names: readonly string[], by: Entry): void {
    for (const name of names) this.forget(name, "doubtful", by);
  }

  mayHaveHad(name: string, value: unknown): void {
    this.#remember(name, [{ value, form: "sent" }]);
  }

  begin(key: string, candidates: Candidate[], lastShown: Entry): void {
    const known = { is: "known", isChange: true, reads: 0, setBy: null, learnedAfter: null } as const;
    this.fields.set(key, { ...known, candidates, lastShown });
  }

  learn(key: string, value: unknown, lastShown: Entry, isRead: boolean): void {
    const candidates: Candidate[] = [{ value, form: "shown" }];
    const [name = key] = key.split(" ");
    const forgottenBy = this.#forgottenBy.get(name) ?? null;
    // A read after a write may show the old value, but the answer to the write shows the new one.
    const learnedAfter = forgottenBy === lastShown ? null : forgottenBy;
    if (forgottenBy === null || learnedAfter) this.hadUnknown.delete(name);
    const known = { is: "known", candidates, isChange: false, reads: 1, setBy: null, lastShown } as const;
    this.fields.set(key, { ...known, candidates, learnedAfter, isOnlyAnswered: !isRead });
  }

  isDoubted(key: string, consistencyTimeoutMs: number): boolean {
    const state = this.fields.get(key);
    if (state?.is !== "known" || !state.learnedAfter || !state.lastShown) return false;
    return startsWithin(state.lastShown, state.learnedAfter, consistencyTimeoutMs);
  }

  mayBeOvertaken(key: string, read: Entry, consistencyTimeoutMs: number): boolean {
    const state = this.fields.get(key);
    if (state?.is !== "known" || state.setBy === null || state.candidates.length < 2) return false;
    return startsWithin(read, state.setBy, consistencyTimeoutMs);
  }

  adopt(key: string, value: unknown, by: Entry, { fits, isRead }: { fits: boolean; isRead: boolean }): void {
    const known = this.fields.get(key);
    if (known?.is !== "known") return;
    const lastShown = isRead ? by : known.lastShown;
    const reads = fits && isRead ? known.reads + 1 : known.reads;
    const isOnlyAnswered = known.isOnlyAnswered === true && !isRead;
    const candidates = [{ value, form: "shown" as const }];
    this.fields.set(key, { ...known, candidates, lastShown, reads, isOnlyAnswered });
  }

  keepOpen(mismatch: Sighting): void {
    this.#openMismatches.set(mismatch.field, [...(this.#openMismatches.get(mismatch.field) ?? []), mismatch]);
  }

  /** Sets the standing of the field's open mismatches: `late` if a read now shows the expected value. */
  resolveOpen(name: string, standing: "late" | "open"): void {
    for (const sighting of this.#openMismatches.get(name) ?? []) {
      const isWrongAnswer = standing === "late" && sighting.view.shows === "answer";
      sighting.standing = isWrongAnswer ? "suspected" : standing;
    }
    this.#openMismatches.delete(name);
  }

  #remember(name: string, candidates: Candidate[]): void {
    this.had.set(name, [...(this.had.get(name) ?? []), ...candidates]);
  }
}

export function updatedResource(head: Head, id: string, updates: readonly Entry[]): OwnResource | undefined {
  const given = fixtureIds(head);
  const fixture = updates.find((entry) => given.includes(pathId(entry) ?? ""));
  if (fixture) return new OwnResource(id, fixture.operation?.space ? (head.spaces[0] ?? null) : null, null);
  const first = updates.find((entry) => isAccepted(entry) && isOrdinary(entry, head));
  return first && new OwnResource(id, first.space, null);
}
