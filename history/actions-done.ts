import { isAction } from "../spec/actions.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, isAccepted, isRejected } from "./entry.ts";
import type { History } from "./history.ts";

/** A service may accept an action only once per resource. */
export function isDoneBefore({ spec, answers }: History, operation: Operation): (entry: Entry) => boolean {
  if (!isAction(spec, operation)) return () => false;
  const taken = answers.to(operation).filter(({ entry }) => isAccepted(entry));
  return (entry) =>
    isRejected(entry) &&
    taken.some(({ entry: { begun, request } }) => begun < entry.ended && request.url === entry.request.url);
}
