/** Decides after which events of a walk the resource is read. */

import type { EventName } from "./walk-events.ts";

const HALVES: ReadonlySet<EventName> = new Set(["half of the fields", "the other half"]);
const READ_AFTER: ReadonlySet<EventName> = new Set([
  "null",
  "rejected body",
  "replay of the creation",
  "another body for the key",
  "one field",
  "every field",
  ...HALVES,
]);
const PARTIAL: ReadonlySet<EventName> = new Set([...HALVES, "one field"]);
const REJECTED: ReadonlySet<EventName> = new Set([
  "rejected body",
  "rejected reference",
  "rejected credential",
  "rejected elsewhere",
]);
/** Events after which the next read may wait: they should change nothing, or one field that few others change. */
const UNREAD: ReadonlySet<EventName> = new Set(["switch", "rejected space", "other views"]);

export class WalkReads {
  #unread: EventName | undefined;
  #wasRead = true;

  /** True if a read follows an event. Otherwise the update that comes next still shows its effect. */
  isDue(name: EventName, next: EventName, isOffDefault = false): boolean {
    // An update without the switch may set it back to its default, which shows only between two reads.
    if (name === "switch" && next === "one field" && isOffDefault) return true;
    if (name === "bystander" || UNREAD.has(name)) return false;
    if (PARTIAL.has(next)) return READ_AFTER.has(name);
    // The next half has other fields, so a read after both still shows the first one. Each half is also read at once,
    // since a cache may be emptied by an update of one field.
    const isLeft = HALVES.has(name) && REJECTED.has(next) && this.#wasRead && this.#unread !== name;
    if (isLeft) this.#unread = name;
    this.#wasRead = !isLeft;
    return !isLeft;
  }
}
