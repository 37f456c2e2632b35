import { isAction } from "../spec/actions.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, isAccepted, isRejected } from "./entry.ts";
import type { History } from "./history.ts";

/** True for a rejection after the resource already accepted the action, because a service may accept it only once. */
export function isDoneBefore({ spec, answers }: History, operation: Operation): (entry: Entry) => boolean {
  if (!isAction(spec, operation)) return () => false;
  const taken = answers.to(operation).filter(({ entry }) => isAccepted(entry));
  return (entry) =>
    isRejected(entry) &&
    taken.some(({ entry: { begun, request } }) => begun < entry.ended && request.url === entry.request.url);
}
