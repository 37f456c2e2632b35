import type { Probe } from "../../client/target.ts";
import { changedId, type Entry, endOf, isAccepted, isInSpace, objectSent } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isWholeAndEqual } from "../../history/resource-kinds.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { actionsOnMade } from "../../spec/operations.ts";
import { findInList } from "../shared/own-items.ts";
import { plainProbe } from "../shared/sampled.ts";
import { listOf, readRecord, readUntilSettled } from "./probes.ts";
import type { RecordRead } from "./records.ts";
import { planOf } from "./repeated-reads.ts";

/** True if a change may touch fields of the list that rules of updates do not follow, such as parts of an object. */
export function mayChangeOtherFields(spec: Spec, operation: RecordRead["operation"]): boolean {
  const { fields } = operation.sameRecord;
  if (fields === "all") return false;
  const { updates, actions } = changesOf(spec, operation);
  const taken = new Set(updates.flatMap(({ body }) => spec.schemas.fieldNames(body)));
  return (
    actions.length > 0 ||
    Object.entries(fields).some(
      ([name, compared]) => taken.has(name.split("/")[0] ?? "") && !isWholeAndEqual(name, compared),
    )
  );
}

function changesOf(spec: Spec, operation: Operation): { updates: Operation[]; actions: Operation[] } {
  return {
    updates: spec.operations.filter(({ readBack }) => readBack?.read === operation.id),
    actions: actionsOnMade(spec, operation.pathParameter?.madeBy),
  };
}

/** Reads records again after the last changes: a list of other fields may still show old values. */
export function recordsAfterChanges(operation: RecordRead["operation"]): Probe {
  return plainProbe("records after changes", operation, "aftermath", async (call) => {
    const { target } = call;
    const [field = "id"] = operation.sameRecord.by;
    const list = listOf(target, operation);
    const changes = lastChanges(target.history(), operation);
    const settledAt = Math.max(...changes.map(endOf)) + target.settings.visibilityDelay;
    if (changes.length > 0) await target.pause(Math.max(0, settledAt - Date.now()));
    for (const path of new Set(changes.flatMap((change) => changedId(change) ?? []))) {
      await readRecord(call, path);
      await findInList(target, list, path, { version: call.version });
      const pages = target.history().lists.pages(list);
      const page = pages.findLast(({ ids, entry }) => ids.includes(path) && entry.version === call.version);
      if (page) await readUntilSettled(call, { operation, field }, [{ list: planOf(page.entry), path }]);
    }
  });
}

const MOST_UPDATES = 3;

/** Returns the last accepted change of each field of the records that the operation reads, and of each action. */
function lastChanges({ spec, context, head }: History, read: Operation): Entry[] {
  const { updates, actions } = changesOf(spec, read);
  const changed = new Set<string>();
  const accepted = context
    .toReversed()
    .filter((entry) => isAccepted(entry) && isInSpace(entry, head.spaces[0] ?? null));
  const lastActions = actions.flatMap(
    (action) => accepted.find(({ operation }) => operation === action) ?? [],
  );
  const lastUpdates = accepted.filter((entry) => {
    if (!updates.some((update) => update === entry.operation)) return false;
    const names = Object.keys(objectSent(entry) ?? {}).filter((name) => !changed.has(name));
    for (const name of names) changed.add(name);
    return names.length > 0;
  });
  return [...lastActions, ...lastUpdates.slice(0, MOST_UPDATES)];
}
