import { type Entry, isAccepted, isRejected, isWrite } from "../../../history/entry.ts";
import type { History } from "../../../history/history.ts";
import { placeActedOn, placeOf, type ResourceKind } from "../../../history/resource-kinds.ts";
import type { Operation } from "../../../spec/model/spec.ts";
import type { RuleTarget } from "../../shared/history-rule.ts";

export interface ActionTarget extends RuleTarget {
  kind: ResourceKind;
  reader: Operation;
}

/** Returns the read of the resource just before the action, or `undefined` if a write came between. */
export function lastReadBefore(history: History, at: ActionTarget, entry: Entry): Entry | undefined {
  const before = requestsAbout(history, at, entry).findLast((other) => other.ended < entry.begun);
  return before && isRead(history, at, before) ? before : undefined;
}

/** Returns the accepted requests that show or may change the resource of the action. */
export function requestsAbout(history: History, { kind }: ActionTarget, entry: Entry): Entry[] {
  const place = placeActedOn(kind, entry);
  const placeIn = (other: Entry) => {
    const { operation, path } = other;
    if (!operation) return undefined;
    if (kind.actions.includes(operation)) return placeActedOn(kind, other);
    return placeOf(kind, other, path[operation.pathParameter?.name ?? ""] ?? "");
  };
  return history.entries.filter(
    (other) => !isRejected(other) && place !== undefined && placeIn(other) === place,
  );
}

export function isRead(history: History, { reader }: ActionTarget, entry: Entry): boolean {
  return entry.operation === reader && isAccepted(entry) && history.isOrdinary(entry) && !isWrite(entry);
}
