import { namesNewItem } from "../../history/answers/outliers.ts";
import { type Entry, isAccepted, isRejected, pathId } from "../../history/entry.ts";
import type { SeenUpdate } from "../../history/journal/updates-seen.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import { fixedFields } from "../../spec/identity.ts";
import { fieldAt } from "../../spec/json.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { updatesOf } from "../shared/update-fields.ts";
import { walkOf } from "../updates/probes.ts";
import { readerOf } from "../updates/read-back.ts";

interface CursorTarget extends RuleTarget {
  cursor: Parameter;
  update: Operation;
}

/**
 * Nothing deletes resources, so an updated item must still serve as a cursor. But a list may lack it under a filter
 * whose field can change.
 */
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
    const fixed = fixedFields(history.spec, operation);
    const changeable = (operation.list?.filters ?? []).filter(
      ({ filter = "" }) => !fixed.includes(fieldAt(filter)),
    );
    const mayLackItem = ({ request }: Entry) =>
      request.query.some(([name]) => changeable.some((filter) => filter.name === name));
    const updates = history.updates(update).filter(({ accepted }) => accepted);
    const uses = history
      .answersOfRound(operation)
      .filter(({ isValid, entry }) => isValid && !mayLackItem(entry))
      .flatMap(({ entry }) => {
        const last = lastUpdate(updates, entry, cursor);
        return last ? [{ entry, last }] : [];
      });
    // A list may learn late of a new item.
    const rejected = uses.filter(
      ({ entry }) => isRejected(entry) && !namesNewItem(history, operation, entry),
    );
    const accepted = uses.filter(({ entry }) => isAccepted(entry));
    return judged(
      rejected.map(({ entry, last }) => ({
        ...wrongStatus(`${cursor.name} with the id of the updated item to be accepted`, entry, [last]),
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
): Entry | undefined {
  const id = request.query.find(([parameter]) => parameter === name)?.[1];
  return updates.findLast(({ entry }) => pathId(entry) === id && entry.ended < begun)?.entry;
}
