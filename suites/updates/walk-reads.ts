import type { EventName } from "./walk-events.ts";

export const HALVES: ReadonlySet<EventName> = new Set(["half of the fields", "the other half"]);
const READ_AFTER: ReadonlySet<EventName> = new Set([
  "null",
  "rejected body",
  "replay of the creation",
  "another body for the key",
  "another version",
  "one field",
  "every field",
  ...HALVES,
]);
const PARTIAL: ReadonlySet<EventName> = new Set([...HALVES, "one field"]);
const REJECTED: ReadonlySet<EventName> = new Set([
  "rejected body",
  "rejected reference",
  "rejected credential",
  "rejected in another space",
]);
/**
 * Events after which the next read may wait, since they should change nothing, or one field that few others
 * change.
 */
const UNREAD: ReadonlySet<EventName> = new Set(["switch", "null switch", "rejected space", "other views"]);

const WITHOUT_SWITCH: ReadonlySet<EventName> = new Set(["one field", "every plain field"]);
const SETS_SWITCH: ReadonlySet<EventName> = new Set(["switch", "same again"]);

export class WalkReads {
  #unread: EventName | undefined;
  #wasRead = true;

  /** False if the update that comes next still shows the effect of the event. */
  isDue(name: EventName, next: EventName, isOffDefault = false): boolean {
    // An update without the switch may set it back to its default, which shows only between two reads.
    if (SETS_SWITCH.has(name) && WITHOUT_SWITCH.has(next) && isOffDefault) return true;
    // The same again would set a switch that a service has set back meanwhile.
    if (name === "switch" && next === "same again") return true;
    if (UNREAD.has(name)) return false;
    if (PARTIAL.has(next)) return READ_AFTER.has(name);
    // A read after the next half still shows fields of this one. Each half is also read at once, since an
    // update of one field may empty a cache.
    const isLeft = HALVES.has(name) && REJECTED.has(next) && this.#wasRead && this.#unread !== name;
    if (isLeft) this.#unread = name;
    this.#wasRead = !isLeft;
    return !isLeft;
  }
}
