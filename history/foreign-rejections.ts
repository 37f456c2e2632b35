import { type Entry, isRejected, responseJson } from "./entry.ts";
import type { History } from "./history.ts";

/**
 * A rejection without JSON comes from a server in front of the service if the operation's other rejections
 * are JSON.
 */
export function isForeign(history: History, entry: Entry): boolean {
  const { operation } = entry;
  if (operation === null || !isRejected(entry) || responseJson(entry) !== undefined) return false;
  return history.answers.to(operation).some((other) => isRejected(other.entry) && other.json !== undefined);
}
