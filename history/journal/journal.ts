/** Follows the values that fields must have. Exchanges count in the order of their ends. */

import { groupedBy } from "../../spec/grouped.ts";
import { idText } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { type Deletion, deletionsIn, mayDelete } from "../creates/deletions.ts";
import { referenceNames } from "../creates/references.ts";
import {
  type Entry,
  type Head,
  idempotencyKeyIn,
  isOrdinary,
  isRejected,
  objectSent,
  overlaps,
  pathId,
  resourceIn,
} from "../entry.ts";
import {
  placeActedOn,
  placeOf,
  type ResourceKind,
  resourceKinds,
  type ShownResource,
  shownBy,
} from "../resource-kinds.ts";
import { acceptedMembersIn } from "../values/accepted-members.ts";
import { ActionsOn } from "./actions-on.ts";
import { Comparisons, walksIn } from "./comparisons.ts";
import { changesOnlyIfSent, isSettled, unsettledFields } from "./field-changes.ts";
import { FieldValues, oneWayValue } from "./field-values.ts";
import { movingMembers } from "./moving-members.ts";
import type { Candidate, Sighting, Write } from "./sightings.ts";
import { idInSpace, TrackedResource, updatedResource, updatesOfOne } from "./tracked-resource.ts";

export interface Journal {
  sightings: Sighting[];
  wrongIds: { entry: Entry; shown: string }[];
  resources: TrackedResource[];
}

/** Follows every resource through the entries. `members` are list values that the service accepted. */
export function journalOf(
  spec: Spec,
  head: Head,
  entries: readonly Entry[],
  members: ReadonlySet<string> = acceptedMembersIn(spec, entries),
): Journal {
  const deletions = deletionsIn(entries);
  const journals = resourceKinds(spec).map((kind) => {
    const bodies = kind.updates.flatMap(({ body }) => body ?? []);
    const names = referenceNames(spec, bodies, entries);
    const moving = movingMembers(spec, head, kind, entries);
    const values = new FieldValues(spec, kind.updates, names, members, moving);
    const journal = new JournalOfKind(spec, head, kind, values, entries, deletions);
    for (const entry of entries) journal.take(entry);
    return journal.end();
  });
  return {
    sightings: journals.flatMap(({ sightings }) => sightings),
    wrongIds: journals.flatMap(({ wrongIds }) => wrongIds),
    resources: journals.flatMap(({ resources }) => resources),
  };
}

class JournalOfKind {
  readonly #updates: ReadonlyMap<string | undefined, Entry[]>;
  readonly #actions: ActionsOn;
  readonly #resources = new Map<string, TrackedResource>();
  readonly #wrongIds: Journal["wrongIds"] = [];
  readonly #allWrites: { id: string; write: Write }[] = [];
  readonly #comparisons: Comparisons;

  constructor(
    private readonly spec: Spec,
    private readonly head: Head,
    private readonly kind: ResourceKind,
    private readonly values: FieldValues,
    entries: readonly Entry[],
    private readonly deletions: readonly Deletion[],
  ) {
    this.#comparisons = new Comparisons(spec, head, kind, values, this.#allWrites, walksIn(entries));
    this.#actions = new ActionsOn(kind, entries);
    const updates = entries.filter(({ operation }) => operation && kind.updates.includes(operation));
    this.#updates = groupedBy(updates, (entry) => {
      const id = pathId(entry);
      return id === undefined ? undefined : placeOf(kind, entry, id);
    });
    for (const [place, sent] of this.#updates)
      if (place !== undefined) for (const own of updatesOfOne(head, sent)) this.#addUpdated(place, own);
  }

  #addUpdated(place: string, updates: readonly Entry[]): void {
    const id = this.#resources.has(place) ? idInSpace(place, updates[0]?.space) : place;
    const resource = updatedResource(this.head, id, updates);
    if (resource) this.#resources.set(id, resource);
  }

  /** Returns the resource in the space of the request, else one with its id in another space. */
  #resourceAt(place: string, { space }: Entry): TrackedResource | undefined {
    return this.#resources.get(idInSpace(place, space)) ?? this.#resources.get(place);
  }

  /** Returns the resource that the action names, or those below it. */
  #actedOn(entry: Entry): TrackedResource[] {
    const place = placeActedOn(this.kind, entry) ?? "";
    const named = this.#resourceAt(place, entry);
    const isBelow = (own: TrackedResource) => own.id.startsWith(`${place}/`) && own.isInSpaceOf(entry);
    return named ? [named] : [...this.#resources.values()].filter(isBelow);
  }

  /** Takes the next entry, in the order of ends. */
  take(entry: Entry): void {
    const { operation } = entry;
    if (operation === null) return;
    if (operation === this.kind.create) this.#create(entry);
    else if (this.#actions.has(entry))
      for (const resource of this.#actedOn(entry)) this.#forgetUnsettled(resource, entry);
    else if (this.kind.updates.includes(operation)) this.#update(entry, operation);
    if (!this.kind.views.has(operation.id) || !isOrdinary(entry, this.head)) return;
    for (const shown of shownBy(this.spec, this.kind, entry)) this.#compareShown(entry, shown);
  }

  end(): Journal {
    const sightings = this.#comparisons.end(this.#resources);
    return { sightings, wrongIds: this.#wrongIds, resources: [...this.#resources.values()] };
  }

  #create(entry: Entry): void {
    const made = resourceIn(entry);
    const ownId = idText(made?.[this.kind.identity]);
    if (made === undefined || ownId === undefined) return;
    const place = placeOf(this.kind, entry, ownId);
    if (place === undefined) return;
    const known = this.#resourceAt(place, entry);
    const isInOtherSpace = known?.owner === "run" && !known.isInSpaceOf(entry) && !isReplay(known, entry);
    const isKnown = known?.owner === "run" && !isInOtherSpace && !this.#isIdReused(known, entry);
    if (isKnown || !isOrdinary(entry, this.head)) return;
    const id = isInOtherSpace ? idInSpace(place, entry.space) : (known?.id ?? place);
    const resource = new TrackedResource({ id, ownId, space: entry.space, made: entry }, this.head);
    const sent = objectSent(entry);
    for (const name of this.spec.schemas.fieldNames(this.kind.updates[0]?.resource)) {
      if (!(name in made)) continue;
      // Other rules judge creates, so both the sent and the shown value are possible.
      const candidates: Candidate[] = [{ value: made[name], form: "shown" }];
      const value = this.values.isSecret(name) ? undefined : sent?.[name];
      if (value !== undefined) candidates.push({ value, form: "sent" });
      resource.begin(this.values.keyOf(name, entry), candidates, entry);
    }
    this.#resources.set(id, resource);
  }

  /** True if the id may be of a new resource. Ids of deleted ones return, but not under the same key. */
  #isIdReused(known: TrackedResource, by: Entry): boolean {
    const { made, ownId } = known;
    const mayDeleteIt = (each: Deletion) => made !== null && mayDelete(each, made, ownId, by);
    return !isReplay(known, by) && this.deletions.some(mayDeleteIt);
  }

  #update(entry: Entry, operation: Operation): void {
    const place = placeOf(this.kind, entry, pathId(entry) ?? "") ?? "";
    if (!isRejected(entry)) this.#forgetInOtherCasing(place, entry);
    const resource = this.#resourceAt(place, entry);
    if (!resource) return;
    const outcome = resource.outcomeOf(entry);
    const sent = objectSent(entry);
    const write: Write = { entry, outcome, sent: sent ?? {} };
    resource.writes.push(write);
    this.#allWrites.push({ id: resource.id, write });
    if (outcome === "rejected") return;
    if (resource.consumed) {
      // After a one-way change, updates may change every other field.
      const isKept = (name: string) => name === resource.oneWay?.field && !(name in write.sent);
      this.#forgetUnsettled(resource, entry, isKept);
      resource.forgetAll(Object.keys(write.sent), entry);
      return;
    }
    const isCertain = outcome === "accepted" && sent !== undefined && isOrdinary(entry, this.head);
    this.#setFields(resource, write, operation, isCertain);
    this.#forgetUndocumented(resource, write, operation);
    this.#changeOneWay(resource, write, operation, isCertain);
    // Either of an update and an overlapping action may come last.
    if (this.#actions.overlap(resource.id, entry)) this.#forgetUnsettled(resource, entry);
  }

  /** Forgets the resource whose id differs in letter case only: a service may ignore that. */
  #forgetInOtherCasing(place: string, entry: Entry): void {
    for (const other of [place.toLowerCase(), place.toUpperCase()]) {
      const resource = other === place ? undefined : this.#resources.get(other);
      resource?.forgetAll(resource.names, entry);
    }
  }

  #setFields(resource: TrackedResource, write: Write, operation: Operation, isCertain: boolean): void {
    const { entry, sent } = write;
    const mayReset = operation.method === "PUT" || !objectSent(entry);
    for (const [name, child] of Object.entries(this.#documentedBy(operation))) {
      if (name in sent) {
        if (!this.values.isSecret(name)) resource.addFormerValue(name, sent[name]);
        if (this.values.isOpen(operation, name, sent[name], this.head.runTag)) resource.forget(name, entry);
        else this.#set(resource, write, name, sent[name], isCertain);
      } else if (mayReset || this.spec.schemas.flatten(child).default !== undefined)
        resource.forget(name, entry);
    }
  }

  #forgetUndocumented(resource: TrackedResource, { entry, sent }: Write, operation: Operation): void {
    const documented = this.#documentedBy(operation);
    if (operation.method === "PUT" && operation.readBack?.keeps !== "all")
      this.#forgetUnsettled(resource, entry, (name) => name in documented);
    // The service may ignore or store an undocumented field.
    for (const name of Object.keys(sent))
      if (!(name in documented) && !changesOnlyIfSent(this.spec, this.kind, name))
        resource.forget(name, entry);
  }

  #changeOneWay(resource: TrackedResource, write: Write, operation: Operation, isCertain: boolean): void {
    const { entry, sent } = write;
    const documented = this.#documentedBy(operation);
    const field = Object.keys(documented).find(
      (name) => name in sent && sent[name] === oneWayValue(this.spec, documented[name]),
    );
    if (field === undefined) return;
    resource.consumed = true;
    if (!isCertain || this.spec.schemas.validate(operation.body ?? {}, sent).length > 0) return;
    resource.oneWay = { entry, field, sent };
    // A one-way change may affect other fields.
    this.#forgetUnsettled(resource, entry, (name) => name in sent);
  }

  #documentedBy({ body = {} }: Operation): Record<string, Schema> {
    return this.spec.schemas.flatten(body).properties ?? {};
  }

  /** Notes that other fields than the settled and the kept ones may have any value after the write. */
  #forgetUnsettled(
    resource: TrackedResource | undefined,
    by: Entry,
    isKept: (name: string) => boolean = () => false,
  ): void {
    const names = unsettledFields(this.spec, this.kind).filter((name) => !isKept(name));
    resource?.forgetAll(names, by);
  }

  #set(resource: TrackedResource, write: Write, name: string, value: unknown, isCertain: boolean): void {
    const isSame = (known: Candidate) => this.values.fits(name, { value, form: "sent" }, known.value);
    // Any of overlapping updates may come last.
    const overlapping = this.#sentBeside(resource.id, write.entry);
    const rivals = overlapping.filter((sent) => name in sent).map((sent) => sent[name]);
    resource.set(name, [value, ...rivals], write.entry, isCertain, isSame);
  }

  #sentBeside(id: string, entry: Entry): JsonObject[] {
    return (this.#updates.get(id) ?? [])
      .filter((other) => other !== entry && overlaps(other, entry) && !isRejected(other))
      .map((other) => objectSent(other) ?? {});
  }

  #compareShown(entry: Entry, { id: shownId, view, fields, unusable }: ShownResource): void {
    const ownId = view.shows === "list" ? shownId : (pathId(entry) ?? shownId);
    const named = placeOf(this.kind, entry, ownId);
    if (named === undefined) return;
    const resource = this.#resourceAt(named, entry);
    if (ownId !== shownId) {
      // The specification does not say if an id in another casing names the same resource. A create showed its exact id.
      const isOther = resource?.owner === "run" || ownId.toLowerCase() !== shownId.toLowerCase();
      if (view.shows === "answer" && resource && isOther) this.#wrongIds.push({ entry, shown: shownId });
      return;
    }
    if (!resource || (resource.consumed && !resource.oneWay) || !resource.isInSpaceOf(entry)) return;
    const sentBeside = this.#sentBeside(named, entry);
    const isActedOn = this.#actions.overlap(named, entry);
    // During an update or action, an answer may show the old or the new value.
    const mayChangeNow = (name: string) =>
      (isActedOn && !isSettled(this.spec, this.kind, name)) ||
      sentBeside.some((sent) => name in sent) ||
      (sentBeside.length > 0 && !changesOnlyIfSent(this.spec, this.kind, name));
    for (const name of view.names.keys())
      if (!unusable.has(name) && !mayChangeNow(name))
        this.#comparisons.compare({ by: entry, resource, view, field: name, shown: fields[name] });
  }
}

function isReplay({ made }: TrackedResource, by: Entry): boolean {
  const key = idempotencyKeyIn(by);
  return made !== null && key !== undefined && idempotencyKeyIn(made) === key;
}
