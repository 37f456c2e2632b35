import { isAction } from "../spec/actions.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Entry, idBeforeAction, isAccepted, isRejected } from "./entry.ts";
import type { History } from "./history.ts";

/** Returns the resource's id from the path of an accepted action (a POST to `/receipts/{id}/redeem`). */
export function idActedOn(spec: Spec, entry: Entry): string | undefined {
  const { operation } = entry;
  if (!operation || !isAccepted(entry) || !isAction(spec, operation)) return undefined;
  return idBeforeAction(entry);
}

/** Finds rejections of an action that was accepted before: a service may accept it once per resource. */
export function isDoneBefore({ spec, answers }: History, operation: Operation): (entry: Entry) => boolean {
  if (!isAction(spec, operation)) return () => false;
  const taken = answers.to(operation).filter(({ entry }) => isAccepted(entry));
  return (entry) =>
    isRejected(entry) &&
    taken.some(({ entry: { begun, request } }) => begun < entry.ended && request.url === entry.request.url);
}
