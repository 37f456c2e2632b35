/** Follows the value that each field of each resource must have. Updates count in the order of their ends. */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { isKept, isLasting, isWithoutWriter, judgedDuties, rejectedSource, withWriter } from "./duties.ts";
import { type Entry, type Head, isOrdinary, isRejected, overlaps, requestJson, resourceIn } from "./entry.ts";
import { FieldValues, oneWayValue } from "./field-values.ts";
import { OwnResource, updatedResource } from "./own-resource.ts";
import { referenceNames } from "./references.ts";
import {
  pathId,
  placeActedOn,
  placeOf,
  type ResourceKind,
  resourceKinds,
  type Shown,
  shownBy,
} from "./resource-kinds.ts";
import type { Candidate, Duty, Sighting, Write } from "./sightings.ts";
import { standingOf } from "./standing.ts";
import { takenIn } from "./taken-values.ts";

export interface Journal {
  sightings: Sighting[];
  wrongIds: { entry: Entry; shown: string }[];
  resources: OwnResource[];
}

export function journalOf(
  spec: Spec,
  head: Head,
  entries: readonly Entry[],
  taken: ReadonlySet<string> = takenIn(spec, entries),
): Journal {
  const journals = resourceKinds(spec).map((kind) => {
    const bodies = kind.updates.flatMap(({ body }) => body ?? []);
    const names = referenceNames(spec, bodies, entries);
    const values = new FieldValues(spec, kind.updates, names, taken);
    const fold = new Fold(spec, head, kind, values, entries);
    for (const entry of entries) fold.take(entry);
    return fold.end();
  });
  return {
    sightings: journals.flatMap(({ sightings }) => sightings),
    wrongIds: journals.flatMap(({ wrongIds }) => wrongIds),
    resources: journals.flatMap(({ resources }) => resources),
  };
}

class Fold {
  readonly #spec: Spec;
  readonly #head: Head;
  readonly #kind: ResourceKind;
  readonly #values: FieldValues;
  readonly #updates = new Map<string, Entry[]>();
  readonly #resources = new Map<string, OwnResource>();
  readonly #sightings: Sighting[] = [];
  readonly #wrongIds: Journal["wrongIds"] = [];
  readonly #everShown = new Set<string>();
  readonly #shownOnce = new Set<string>();
  readonly #allWrites: { id: string; write: Write }[] = [];

  constructor(spec: Spec, head: Head, kind: ResourceKind, values: FieldValues, entries: readonly Entry[]) {
    this.#spec = spec;
    this.#head = head;
    this.#kind = kind;
    this.#values = values;
    for (const entry of entries) {
      const own = pathId(entry);
      if (own === undefined || entry.operation === null || !kind.updates.includes(entry.operation)) continue;
      const id = placeOf(entry, own);
      this.#updates.set(id, [...(this.#updates.get(id) ?? []), entry]);
    }
    for (const [id, updates] of this.#updates) {
      const state = updatedResource(head, id, updates);
      if (state) this.#resources.set(id, state);
    }
  }

  take(entry: Entry): void {
    const { operation } = entry;
    if (operation === null) return;
    if (operation === this.#kind.create) this.#create(entry);
    else if (this.#kind.actions.includes(operation) && !isRejected(entry))
      this.#resources.get(placeActedOn(entry))?.forgetAll(withWriter(this.#spec, this.#kind), entry);
    else if (this.#kind.updates.includes(operation)) this.#update(entry, operation);
    if (!this.#kind.views.has(operation.id) || !isOrdinary(entry, this.#head)) return;
    for (const shown of shownBy(this.#spec, this.#kind, entry)) this.#see(entry, shown);
  }

  end(): Journal {
    for (const sighting of this.#sightings) {
      const { id, field, oneWay } = sighting;
      const moves = this.#resources.get(id)?.moves.get(field) ?? 0;
      const isLively =
        !isLasting(this.#spec, this.#kind, field, sighting.write?.operation) && field !== oneWay?.field;
      if (sighting.standing === "proven" && moves > 1 && isLively) sighting.standing = "open";
    }
    return { sightings: this.#sightings, wrongIds: this.#wrongIds, resources: [...this.#resources.values()] };
  }

  #create(entry: Entry): void {
    const made = resourceIn(entry);
    const own = made?.[this.#kind.identity];
    if (made === undefined || (typeof own !== "string" && typeof own !== "number")) return;
    const id = placeOf(entry, String(own));
    const known = this.#resources.get(id);
    if (known?.owner === "run" || !isOrdinary(entry, this.#head)) return;
    const state = new OwnResource(id, entry.space, entry);
    const sent = requestJson(entry);
    const { properties = {} } = this.#spec.schemas.flatten(this.#kind.updates[0]?.resource ?? {});
    for (const name of Object.keys(properties)) {
      if (!(name in made)) continue;
      const candidates = [{ value: made[name], form: "shown" as const }];
      // Other rules judge if a create shows the sent values, so both values are possible here.
      const value = isObject(sent) && !this.#values.isSecret(name) ? sent[name] : undefined;
      const all = value === undefined ? candidates : [...candidates, { value, form: "sent" as const }];
      state.begin(this.#key(name, entry), all, entry);
    }
    this.#resources.set(id, state);
  }

  /** Only some views and versions mask a secret, so each has a key of its own. */
  #key(field: string, { operation, version }: Entry): string {
    return this.#values.isSecret(field) ? `${field} ${operation?.id} ${version}` : field;
  }

  #update(entry: Entry, operation: Operation): void {
    const id = placeOf(entry, pathId(entry) ?? "");
    const state = this.#resources.get(id);
    if (!state) return;
    const outcome = state.outcomeOf(entry);
    if (outcome === undefined) return;
    const body = requestJson(entry);
    const write: Write = { entry, outcome, sent: isObject(body) ? body : {} };
    state.writes.push(write);
    this.#allWrites.push({ id, write });
    if (outcome === "rejected") return;
    if (state.consumed) {
      // After a one-way change, an update may change everything but the value that can't be taken back.
      this.#forgetOthers(state, write, (name) => name === state.oneWay?.field && !(name in write.sent));
      return;
    }
    const taken = this.#spec.schemas.flatten(operation.body ?? {}).properties ?? {};
    const isCertain = outcome === "accepted" && isObject(body) && isOrdinary(entry, this.#head);
    for (const [name, child] of Object.entries(taken)) {
      const { default: defaultValue } = this.#spec.schemas.flatten(child);
      const isSent = isObject(body) && name in body;
      if (isSent && !this.#values.isSecret(name)) state.mayHaveHad(name, body[name]);
      if (isSent && this.#values.isOpen(operation, name, body[name], this.#head.runTag))
        state.forget(name, "doubtful", write.entry);
      else if (isSent) this.#set(state, write, name, body[name], isCertain);
      else if (!isObject(body) || defaultValue !== undefined || operation.method === "PUT")
        state.forget(name, "default", write.entry);
    }
    const others = withWriter(this.#spec, this.#kind).filter((name) => !(name in taken));
    if (operation.method === "PUT" && operation.readBack?.keeps !== "all") state.forgetAll(others, entry);
    // A service may ignore or store a field that the update does not document.
    for (const name of Object.keys(write.sent))
      if (!(name in taken) && !isKept(this.#spec, this.#kind, name))
        state.forget(name, "doubtful", write.entry);
    const field = Object.keys(taken).find(
      (name) => name in write.sent && write.sent[name] === oneWayValue(this.#spec, taken[name]),
    );
    if (field === undefined) return;
    state.consumed = true;
    if (!isCertain || this.#spec.schemas.validate(operation.body ?? {}, body).length > 0) return;
    state.oneWay = { entry, field, sent: write.sent };
    // The specification does not say if a one-way change changes other fields, too.
    this.#forgetOthers(state, write, (name) => name in write.sent);
  }

  #forgetOthers(state: OwnResource, { entry }: Write, isKnown: (name: string) => boolean): void {
    for (const name of withWriter(this.#spec, this.#kind))
      if (!isKnown(name)) state.forget(name, "doubtful", entry);
  }

  #set(state: OwnResource, write: Write, name: string, value: unknown, isCertain: boolean): void {
    const isSame = (known: Candidate) => this.#values.fits(name, { value, form: "sent" }, known.value);
    // Only the next read shows which overlapping write came last, so both values are possible.
    const rivals = this.#overlapping(state.id, write.entry).flatMap(({ sent }) =>
      name in sent ? [sent[name]] : [],
    );
    state.set(name, [value, ...rivals], write.entry, isCertain, isSame);
  }

  #overlapping(id: string, entry: Entry): Write[] {
    return (this.#updates.get(id) ?? [])
      .filter((other) => other !== entry && overlaps(other, entry) && !isRejected(other))
      .map((other) => {
        const body = requestJson(other);
        return { entry: other, outcome: "unknown" as const, sent: isObject(body) ? body : {} };
      });
  }

  #see(entry: Entry, { id: shownId, view, fields, unusable }: Shown): void {
    const named = placeOf(entry, view.shows === "list" ? shownId : (pathId(entry) ?? shownId));
    const state = this.#resources.get(named);
    if (named !== placeOf(entry, shownId)) {
      if (view.shows === "answer" && state) this.#wrongIds.push({ entry, shown: shownId });
      return;
    }
    if (!state || (state.consumed && !state.oneWay) || state.space !== entry.space) return;
    const beside = this.#overlapping(named, entry);
    for (const name of view.names.keys()) {
      if (
        unusable.has(name) ||
        beside.some(({ sent }) => name in sent) ||
        (beside.length > 0 && !isKept(this.#spec, this.#kind, name))
      )
        continue;
      this.#compare(entry, state, view, name, fields);
    }
  }

  #isKnown({ id, writes }: OwnResource, field: string, duty: Duty, { operation }: Entry): boolean {
    if (writes.length > 0) return false;
    const place = `${id} ${field} ${duty} ${operation?.id}`;
    const isKnown = this.#shownOnce.has(place);
    this.#shownOnce.add(place);
    return isKnown;
  }

  #compare(entry: Entry, state: OwnResource, view: Shown["view"], field: string, fields: JsonObject): void {
    const shown = fields[field];
    const place = `${view.operation.id} ${entry.version} ${field}`;
    if (shown !== undefined) this.#everShown.add(place);
    const key = this.#key(field, entry);
    const expected = state.fields.get(key);
    if (expected === undefined || expected.is === "unknown") {
      if (shown !== undefined) state.learn(key, shown, entry, view.shows !== "answer");
      return;
    }
    const fits = expected.candidates.some((candidate) => this.#values.fits(field, candidate, shown));
    const isOwnAnswer = expected.setBy === entry;
    // A view that never shows a field proves nothing about it.
    if (!fits && shown === undefined && !isOwnAnswer && !this.#everShown.has(place)) return;
    const seen = { kind: this.#kind, state, view, field, expected, by: entry, writes: this.#allWrites };
    const isSecret = this.#values.isSecret(field);
    const { id, oneWay } = state;
    const after = oneWay ? { oneWay } : {};
    const sighting = { kind: this.#kind, id, field, view, by: entry, shown, expected, isSecret, ...after };
    const isOneWay = oneWay?.field === field;
    const owed = judgedDuties(this.#spec, seen);
    const adopt = () => state.adopt(key, shown, entry, { fits, isRead: view.shows !== "answer" });
    if (fits) {
      for (const { duty, write } of owed)
        if (!this.#isKnown(state, field, duty, write))
          this.#sightings.push({ ...sighting, duty, write, fits });
      state.settle(field, "late");
      if (!isOwnAnswer && state.mayBeOvertaken(key, entry, this.#head.consistencyTimeoutMs)) return;
      adopt();
      return;
    }
    if (!isOwnAnswer && state.isDoubted(key, this.#head.consistencyTimeoutMs)) {
      adopt();
      return;
    }
    // The answer to a write may be wrong, so a read that differs only from it shows no change.
    const isMove = view.shows !== "answer" && expected.isOnlyAnswered !== true;
    if (isMove) state.moves.set(field, (state.moves.get(field) ?? 0) + 1);
    const source = rejectedSource(seen, shown, this.#values, this.#head.runTag);
    const [cause] = source && owed.length > 0 ? [{ duty: "no-effect" as const, write: source }] : owed;
    if (!cause) {
      // A list may be late even for a field that nobody may change, so the next read decides.
      if (view.shows === "list" && isWithoutWriter(this.#spec, this.#kind, field)) return;
      // No write of the run explains the change, so the field changes by itself.
      if (isMove) state.volatile.set(field, entry);
      adopt();
      return;
    }
    const mismatch: Sighting = { ...sighting, ...cause, fits };
    const lasts = cause.duty === "stored" || isLasting(this.#spec, this.#kind, field, cause.write.operation);
    this.#sightings.push(mismatch);
    mismatch.standing = standingOf(
      mismatch,
      state,
      this.#values,
      // An update may change a field with a default that it omits, but not one that it sends.
      { isFromRejected: source !== undefined, isLively: !lasts && !isOneWay, isOneWay },
      this.#head,
    );
    if (mismatch.standing === "open") {
      state.await(mismatch);
      return;
    }
    state.settle(field, "open");
    if (view.shows !== "answer") adopt();
  }
}
