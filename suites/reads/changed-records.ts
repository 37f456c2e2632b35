import type { Probe } from "../../client/target.ts";
import {
  type Entry,
  endOf,
  idBeforeAction,
  isAccepted,
  isInSpace,
  objectSent,
  pathId,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ComparedField, Operation, Spec } from "../../spec/model/spec.ts";
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
  const isFollowed = (name: string, { field, compare }: ComparedField) =>
    compare === "equal" && !name.includes("/") && !field.includes("/");
  return (
    actions.length > 0 ||
    Object.entries(fields).some(
      ([name, compared]) => taken.has(name.split("/")[0] ?? "") && !isFollowed(name, compared),
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
    for (const path of new Set(changes.map(idChanged))) {
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
function lastChanges({ spec, context, head }: History, operation: Operation): Entry[] {
  const { updates, actions } = changesOf(spec, operation);
  const changed = new Set<string>();
  const last = context.toReversed().filter((entry) => {
    const change = entry.operation;
    if (!change || !isAccepted(entry) || !isInSpace(entry, head.spaces[0] ?? null)) return false;
    const names = updates.includes(change)
      ? Object.keys(objectSent(entry) ?? {})
      : actions.includes(change)
        ? [change.id]
        : [];
    return names.filter((name) => !changed.has(name) && changed.add(name)).length > 0;
  });
  const isUpdate = (entry: Entry) => entry.operation?.kind === "update";
  return [...last.filter((entry) => !isUpdate(entry)), ...last.filter(isUpdate).slice(0, MOST_UPDATES)];
}

function idChanged(change: Entry): string {
  return pathId(change) ?? idBeforeAction(change) ?? "";
}
