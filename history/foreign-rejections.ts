import { type Entry, isRejected, responseJson } from "./entry.ts";
import type { History } from "./history.ts";

/**
 * True if a server in front of the service, probably a firewall, rejected the request: the operation's other
 * rejections are JSON.
 */
export function isForeign(history: History, entry: Entry): boolean {
  const { operation } = entry;
  if (operation === null || !isRejected(entry) || responseJson(entry) !== undefined) return false;
  return history.answers.to(operation).some((other) => isRejected(other.entry) && other.json !== undefined);
}
