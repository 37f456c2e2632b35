import { groupedBy } from "../../spec/grouped.ts";
import { type Entry, isRejected, overlaps } from "../entry.ts";
import { placeActedOn, type ResourceKind } from "../resource-kinds.ts";

/** The requests that may change resources of a kind, though they are no updates of it. */
export class ActionsOn {
  readonly #byPlace: ReadonlyMap<string | undefined, Entry[]>;

  constructor(
    private readonly kind: ResourceKind,
    entries: readonly Entry[],
  ) {
    const meant = entries.filter((entry) => this.has(entry));
    this.#byPlace = groupedBy(meant, (entry) => placeActedOn(kind, entry));
  }

  has(entry: Entry): boolean {
    return entry.operation !== null && this.kind.changing.includes(entry.operation) && !isRejected(entry);
  }

  /** True if an action on the resource, or on a parent of it, overlaps the request. */
  overlap(id: string, entry: Entry): boolean {
    const ids = id.split("/");
    const places = ids.map((_, index) => ids.slice(0, index + 1).join("/"));
    return places.some((place) => this.#byPlace.get(place)?.some((action) => overlaps(action, entry)));
  }
}
