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
 * Events after which no read is needed at once. They should change nothing, or only a field that few other
 * events change.
 */
const UNREAD: ReadonlySet<EventName> = new Set(["switch", "null switch", "rejected space", "other views"]);

const WITHOUT_SWITCH: ReadonlySet<EventName> = new Set(["one field", "every plain field"]);
const SETS_SWITCH: ReadonlySet<EventName> = new Set(["switch", "same again"]);

export class WalkReads {
  #unread: EventName | undefined;
  #wasRead = true;

  /** True if the resource must be read after the event. False if the next update still shows the effect. */
  isDue(name: EventName, next: EventName, isOffDefault = false): boolean {
    // The next update may set the switch back to its default, which shows only if the switch is read before.
    if (SETS_SWITCH.has(name) && WITHOUT_SWITCH.has(next) && isOffDefault) return true;
    // Sending the same again would hide that the service set the switch back.
    if (name === "switch" && next === "same again") return true;
    if (UNREAD.has(name)) return false;
    if (PARTIAL.has(next)) return READ_AFTER.has(name);
    // A read after the next half still shows the fields of this half. But each half is also read at once
    // sometimes, because an update of one field may empty a cache.
    const isLeft = HALVES.has(name) && REJECTED.has(next) && this.#wasRead && this.#unread !== name;
    if (isLeft) this.#unread = name;
    this.#wasRead = !isLeft;
    return !isLeft;
  }
}
