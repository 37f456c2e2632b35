/** Rejections by a server in front of the service, such as a firewall. */

import { type Entry, isRejected, responseJson } from "./entry.ts";
import type { History } from "./history.ts";

/** True if the rejection is not JSON, although the operation's other rejections are. */
export function isForeign(history: History, entry: Entry): boolean {
  const { operation } = entry;
  if (operation === null || !isRejected(entry) || responseJson(entry) !== undefined) return false;
  return history.answers.to(operation).some((other) => isRejected(other.entry) && other.json !== undefined);
}
