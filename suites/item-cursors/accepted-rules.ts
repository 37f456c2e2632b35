import { namesNewItem } from "../../history/answers/outliers.ts";
import { type Entry, isAccepted, isRejected, pathId } from "../../history/entry.ts";
import type { SeenUpdate } from "../../history/journal/updates-seen.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { filteredValue, isShown } from "../filters/matching.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { walkOf } from "../updates/probes.ts";
import { readerOf } from "../updates/read-back.ts";
import { updatesOf } from "../updates/updating.ts";

interface CursorTarget extends RuleTarget {
  cursor: Parameter;
  update: Operation;
}

/** Nothing deletes resources, so an updated item must still serve as a cursor. */
export const acceptedAfterUpdates = historyRule<CursorTarget>({
  requirement: "ITEM-CURSOR-AFTER",
  targets: (spec) =>
    updatesOf(spec).flatMap(({ operation: update }) => {
      const operation = readerOf(spec, update);
      const cursor = operation?.list?.after;
      return operation && cursor?.cursor === "item"
        ? [{ operation, cursor, update, detail: `after ${update.key}` }]
        : [];
    }),
  title: ({ operation, cursor, update }) =>
    `${operation.key} still accepts an item as ${cursor.name} after ${update.key}`,
  probes: ({ update }) => [walkOf(update)],
  writes: true,
  check(history, { operation, cursor, update }) {
    const updates = history.updates(update).filter(({ accepted }) => accepted);
    const uses = history
      .answersOfRound(operation)
      .filter(({ isValid }) => isValid)
      .flatMap(({ entry }) => {
        const updated = lastUpdate(updates, entry, cursor);
        return updated && isListed(operation, entry, updated.answer)
          ? [{ entry, updated: updated.entry }]
          : [];
      });
    // A list may learn late of a new item.
    const rejected = uses.filter(
      ({ entry }) => isRejected(entry) && !namesNewItem(history, operation, entry),
    );
    const accepted = uses.filter(({ entry }) => isAccepted(entry));
    return judged(
      rejected.map(({ entry, updated }) => ({
        ...wrongStatus(`${cursor.name} with the id of the updated item to be accepted`, entry, [updated]),
        needsOlderResource: true,
      })),
      accepted.map(({ entry }) => entry),
      notExercised("no-data", `no updated item was sent as ${cursor.name}`),
    );
  },
});

function lastUpdate(
  updates: readonly SeenUpdate[],
  { request, begun }: Entry,
  { name }: Parameter,
): SeenUpdate | undefined {
  const id = request.query.find(([parameter]) => parameter === name)?.[1];
  return updates.findLast(({ entry }) => pathId(entry) === id && entry.ended < begun);
}

/** True if the item has the values that the list was filtered by. */
function isListed({ parameters }: Operation, { request }: Entry, item: JsonObject = {}): boolean {
  return parameters
    .filter(({ role }) => role === "filter")
    .every((filter) => {
      const wanted = request.query.find(([name]) => name === filter.name)?.[1];
      return wanted === undefined || isShown(wanted, filteredValue(item, filter));
    });
}
