import { groupedBy, groupedByEach } from "../../spec/grouped.ts";
import { idText } from "../../spec/identity.ts";
import { isObject } from "../../spec/json.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { type Entry, type Head, isAccepted, itemsIn, objectSent, responseJson } from "../entry.ts";
import type { ResourceKind, View } from "../resource-kinds.ts";
import { textsIn, textsOfRun } from "../values/tags.ts";
import { type ExpectedField, judgedDuties, type OwedDuty, rejectedSender } from "./duties.ts";
import { changesOnlyIfSent, isFixed, isSettled, mustKeepUnsent } from "./field-changes.ts";
import type { FieldValues } from "./field-values.ts";
import type { Candidate, Sighting, Write } from "./sightings.ts";
import { mayBeLate, standingOf } from "./standing.ts";
import type { TrackedResource } from "./tracked-resource.ts";

interface ShownField {
  by: Entry;
  resource: TrackedResource;
  view: View;
  field: string;
  shown: unknown;
}

type Compared = ExpectedField & ShownField & { key: string; isOwnAnswer: boolean };

export class Comparisons {
  readonly #sightings: Sighting[] = [];
  readonly #everShown = new Map<View, Map<string | null, Set<string>>>();
  readonly #shownOnce = new Set<string>();

  constructor(
    private readonly spec: Spec,
    private readonly head: Head,
    private readonly kind: ResourceKind,
    private readonly values: FieldValues,
    private readonly writes: readonly { id: string; write: Write }[],
    private readonly walks: ReadonlyMap<Entry, number>,
  ) {}

  /** Compares a field with its possible values. An unknown field gets the shown value. */
  compare({ by, resource, view, field, shown }: ShownField): void {
    const walk = view.shows === "list" ? this.walks.get(by) : undefined;
    if (walk !== undefined && resource.isWrittenSince(walk)) return;
    const everShown = this.#shownBy(view, by.version);
    if (shown !== undefined) everShown.add(field);
    const key = this.values.keyOf(field, by);
    const expected = resource.fields.get(key);
    if (expected === undefined || expected.is === "unknown") {
      if (shown !== undefined) resource.learn(key, shown, by, view.shows !== "answer");
      return;
    }
    const fits =
      expected.candidates.some((candidate) => this.values.fits(field, candidate, shown)) &&
      !(this.values.isMap(field) && resource.bringsBack(field, expected, shown));
    const isOwnAnswer = expected.setBy === by;
    // If this view never showed the field, its absence proves nothing.
    if (!fits && shown === undefined && !isOwnAnswer && !everShown.has(field)) return;
    // Written out: this runs for each shown field, and spreading objects is slow.
    const kind = this.kind;
    const writes = this.writes;
    const compared = { kind, writes, resource, expected, view, field, by, shown, key, isOwnAnswer };
    if (fits) this.#agrees(compared);
    else this.#differs(compared);
  }

  #shownBy(view: View, version: string | null): Set<string> {
    const ofView = keptIn(this.#everShown, view, () => new Map<string | null, Set<string>>());
    return keptIn(ofView, version, () => new Set<string>());
  }

  /**
   * Returns all sightings after the last entry. A field that changed twice, or that changed in another resource
   * without a write to it, may change by itself, so its mismatches become open. Even for fields that must not, a write
   * is not blamed for such a change.
   */
  end(resources: ReadonlyMap<string, TrackedResource>): Sighting[] {
    this.#noteVolatile(resources);
    const volatileIn = groupedByEach(resources.values(), ({ volatile }) => volatile.keys());
    const unwritten = groupedBy(this.#sightings.filter(isUnwrittenChange), ({ field }) => field);
    for (const sighting of this.#sightings) {
      const { id, field, oneWay, standing, duty } = sighting;
      if (sighting.isCopy || (standing !== "proven" && standing !== "suspected")) continue;
      const mayChange =
        field !== oneWay?.field && !mustKeepUnsent(this.spec, this.kind, field, sighting.write?.operation);
      const changedTwice = (resources.get(id)?.changeCounts.get(field) ?? 0) > 1;
      const isVolatileInAnother = volatileIn.get(field)?.some((other) => other.id !== id) ?? false;
      const isVolatile = (standing === "proven" && changedTwice) || isVolatileInAnother;
      const isBlamed = standing === "suspected" && (duty === "kept" || duty === "no-effect");
      const isUnwritten = isBlamed && unwritten.get(field)?.some((other) => other.id !== id);
      if ((mayChange && isVolatile) || isUnwritten) sighting.standing = "open";
    }
    return this.#sightings;
  }

  /** Notes fields as volatile that changed for good after writes to other resources alone. */
  #noteVolatile(resources: ReadonlyMap<string, TrackedResource>): void {
    const written = new Map(this.writes.map(({ id, write }) => [write.entry, id]));
    for (const { id, field, view, duty, write, standing, by } of this.#sightings) {
      const isOfOther = duty === "kept" && write !== null && written.get(write) !== id;
      const own = resources.get(id);
      if (own && isOfOther && standing === "open" && view.shows !== "answer" && !own.volatile.has(field))
        own.volatile.set(field, by);
    }
  }

  #agrees(compared: Compared): void {
    const { by, resource, field, key, isOwnAnswer } = compared;
    for (const duty of judgedDuties(this.spec, compared))
      if (!this.#isRepeated(resource, field, duty))
        this.#sightings.push({ ...this.#sighting(compared, duty), fits: true });
    resource.resolveOpen(field, "late");
    if (isOwnAnswer || !resource.mayBeOvertaken(key, by)) adopt(compared, { fits: true });
  }

  #differs(compared: Compared): void {
    const { resource, view, field, key, expected, shown, isOwnAnswer } = compared;
    if (!isOwnAnswer && resource.isDoubted(key)) {
      adopt(compared);
      return;
    }
    // The answer to a write may be wrong, so a read that differs from it shows no change.
    const isChange = view.shows !== "answer" && expected.isOnlyAnswered !== true;
    if (isChange) resource.changeCounts.set(field, (resource.changeCounts.get(field) ?? 0) + 1);
    const duties = judgedDuties(this.spec, compared);
    const hasMoved = (candidate: Candidate) => this.values.differsOnlyInMoving(field, candidate, shown);
    // A read may have changed the member, so reads without a write between them are still compared.
    if (duties[0]?.duty !== "stable" && expected.candidates.some(hasMoved)) {
      adopt(compared);
      return;
    }
    const source = rejectedSender(compared, shown, this.values, this.head.runTag);
    const cause = source && duties.length > 0 ? { duty: "no-effect" as const, write: source } : duties[0];
    if (cause) this.#mismatch(compared, cause, source !== undefined);
    else this.#unexplained(compared, isChange);
  }

  #unexplained(compared: Compared, isChange: boolean): void {
    const { by, resource, view, field } = compared;
    // A list may be late, and nothing but an update changes this field.
    if (view.shows === "list" && isSettled(this.spec, this.kind, field)) return;
    if (mayBeLate(compared, resource, this.values, this.head)) return;
    if (isChange) resource.volatile.set(field, by);
    adopt(compared);
  }

  #mismatch(compared: Compared, cause: OwedDuty, isFromRejected: boolean): void {
    const { resource, view, field } = compared;
    const isCopy = cause.duty === "kept" && this.#isCopy(compared, cause.write);
    const mismatch = { ...this.#sighting(compared, cause), fits: false, isCopy };
    this.#sightings.push(mismatch);
    // An update may reset an omitted field to its default, but not a field that was sent.
    const mustShowExpected =
      cause.duty === "stored" || mustKeepUnsent(this.spec, this.kind, field, cause.write.operation);
    const facts = {
      isFromRejected,
      mustShowExpected,
      isFixed: isFixed(this.spec, this.kind, field),
      changesOnlyIfSent: changesOnlyIfSent(this.spec, this.kind, field),
    };
    mismatch.standing = standingOf(mismatch, resource, this.values, facts, this.head);
    if (mismatch.standing === "open") {
      resource.keepOpen(mismatch);
      return;
    }
    resource.resolveOpen(field, "open");
    if (view.shows !== "answer") adopt(compared);
  }

  #isCopy({ field, shown, expected }: Compared, write: Entry): boolean {
    const { runTag } = this.head;
    const sent = objectSent(write);
    if (runTag === null || !sent || field in sent) return false;
    const known = new Set(expected.candidates.flatMap(({ value }) => textsIn(value)));
    const others = new Set(textsOfRun(runTag, sent).filter((text) => !known.has(text)));
    return others.size > 0 && textsIn(shown).some((text) => others.has(text));
  }

  #sighting(
    { kind, resource, field, view, by, shown, expected }: Compared,
    owed: OwedDuty,
  ): Omit<Sighting, "fits"> {
    const { id, oneWay } = resource;
    const isSecret = this.values.isSecret(field);
    const after = oneWay ? { oneWay } : {};
    return {
      kind,
      id,
      made: resource.made,
      field,
      view,
      by,
      shown,
      expected,
      isSecret,
      ...after,
      ...owed,
    };
  }

  #isRepeated({ id, writes }: TrackedResource, field: string, { duty, write }: OwedDuty): boolean {
    if (writes.length > 0) return false;
    const place = `${id} ${field} ${duty} ${write.operation?.id}`;
    const isRepeated = this.#shownOnce.has(place);
    this.#shownOnce.add(place);
    return isRepeated;
  }
}

function isUnwrittenChange({ duty, fits, standing }: Sighting): boolean {
  return duty === "stable" && !fits && (standing === "proven" || standing === "suspected");
}

function adopt({ key, by, resource, view, shown }: Compared, { fits = false } = {}): void {
  resource.adopt(key, shown, by, { fits, isRead: view.shows !== "answer" });
}

/** Returns when the first walk with each opaque cursor began. A walk may show the list as it was then. */
export const walksIn = memoized((entries: readonly Entry[]): ReadonlyMap<Entry, number> => {
  const begun = new Map<string, number>();
  const walks = new Map<Entry, number>();
  for (const entry of entries) {
    const { operation, request, space } = entry;
    const after = operation?.list?.after?.name;
    if (!operation || after === undefined || !isAccepted(entry)) continue;
    const placeOf = (cursor: string) => JSON.stringify([operation.id, space, cursor]);
    const [, cursor] = request.query.find(([name]) => name === after) ?? [];
    const walk = cursor === undefined ? undefined : begun.get(placeOf(cursor));
    if (walk !== undefined) walks.set(entry, walk);
    const next = opaqueNext(entry);
    if (next !== undefined && !begun.has(placeOf(next))) begun.set(placeOf(next), walk ?? entry.begun);
  }
  return walks;
});

/** Returns the next cursor, unless it is an id of an item. An id of an item can't say when a walk began. */
function opaqueNext(entry: Entry): string | undefined {
  const json = responseJson(entry);
  const { pagination } = isObject(json) ? json : {};
  const { next } = isObject(pagination) ? pagination : {};
  const isOfItem = itemsIn(entry).some((item) => Object.values(item).some((value) => idText(value) === next));
  return typeof next !== "string" || isOfItem ? undefined : next;
}
