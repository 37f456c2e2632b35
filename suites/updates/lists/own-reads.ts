/** Collects the reads of updated resources, and the answers to their updates. */

import { type Entry, pathId } from "../../../history/entry.ts";
import type { History } from "../../../history/history.ts";
import { placeOf, type ResourceKind, shownBy } from "../../../history/resource-kinds.ts";
import type { JsonObject } from "../../../spec/json.ts";

export interface OwnRead {
  entry: Entry;
  fields: JsonObject;
}

export interface OwnReads {
  id: string;
  space: string | null;
  reads: OwnRead[];
  /** The answers to accepted updates. */
  answers: OwnRead[];
  changes: Entry[];
}

/** Returns the single reads of each updated resource, with its updates and their answers. */
export function ownReads(history: History, kind: ResourceKind): OwnReads[] {
  const found = new Map<string, OwnReads>();
  const updates = kind.updates.flatMap((update) => history.updates(update).map(({ entry }) => entry));
  const placeUpdated = (update: Entry) => placeOf(kind, update, pathId(update) ?? "");
  const changed = new Set(updates.map(placeUpdated));
  for (const entry of history.entries) {
    if (!history.isOrdinary(entry)) continue;
    for (const { id, view, fields } of shownBy(history.spec, kind, entry)) {
      const place = placeOf(kind, entry, id);
      const isAnswer = view.shows === "answer" && kind.updates.some((update) => update === entry.operation);
      if ((view.shows !== "read" && !isAnswer) || !changed.has(place)) continue;
      const { space } = entry;
      const changes = updates.filter((update) => placeUpdated(update) === place);
      const own = found.get(`${space} ${place}`) ?? { id, space, reads: [], answers: [], changes };
      (isAnswer ? own.answers : own.reads).push({ entry, fields });
      found.set(`${space} ${place}`, own);
    }
  }
  return [...found.values()];
}

/** Returns the latest read or settled answer before the page, and the read after it. */
export function readsAround(
  page: Entry,
  reads: readonly OwnRead[],
  answers: readonly OwnRead[],
): [OwnRead, OwnRead] | undefined {
  const isBefore = ({ entry }: OwnRead) => entry.ended < page.begun;
  const [read, answer] = [reads.findLast(isBefore), answers.findLast(isBefore)];
  const before = read && answer && answer.entry.begun > read.entry.begun ? answer : read;
  const after = reads.find(({ entry }) => entry.begun > page.ended);
  return before && after && [before, after];
}
