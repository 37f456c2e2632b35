/** Resources that the run did not make, and ids that two spaces have. */

import { groupedBy } from "../../spec/grouped.ts";
import { type Entry, fixtureIds, type Head, isAccepted, isOrdinary, isRejected, pathId } from "../entry.ts";
import { TrackedResource } from "./tracked-resource.ts";

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
