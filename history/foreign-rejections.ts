import { type Entry, isRejected, responseJson } from "./entry.ts";
import type { History } from "./history.ts";

/** True for a rejection without JSON if others have JSON: a proxy sent it. */
export function isForeign(history: History, entry: Entry): boolean {
  const { operation } = entry;
  if (operation === null || !isRejected(entry) || responseJson(entry) !== undefined) return false;
  return history.answers.to(operation).some((other) => isRejected(other.entry) && other.json !== undefined);
}
