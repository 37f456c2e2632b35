import type { EventName } from "./events.ts";

export const HALVES: ReadonlySet<EventName> = new Set(["half of the fields", "the other half"]);
/** Events that a read follows, even if the next update sends only some fields. */
const READ_AFTER: ReadonlySet<EventName> = new Set([
  "null",
  "rejected body",
  "rejected reference",
  "replay of the creation",
  "another body for the key",
  "another version",
  "one field",
  "every field",
  ...HALVES,
]);
const PARTIAL_EVENTS: ReadonlySet<EventName> = new Set([...HALVES, "one field"]);
const REJECTED_EVENTS: ReadonlySet<EventName> = new Set([
  "rejected body",
  "rejected reference",
  "rejected credential",
  "rejected in another space",
]);
/** Events that need no read: they change nothing, or a field that few others change. */
const UNREAD_EVENTS: ReadonlySet<EventName> = new Set([
  "switch",
  "null switch",
  "rejected space",
  "other views",
]);

const WITHOUT_SWITCH: ReadonlySet<EventName> = new Set(["one field", "every plain field"]);
const SETS_SWITCH: ReadonlySet<EventName> = new Set(["switch", "same again"]);

export class WalkReads {
  /** The half that was last read later. Next time it is read at once. */
  #unread: EventName | undefined;
  #wasRead = true;

  /** True if the next event would hide the effect. */
  isDue(name: EventName, next: EventName, isOffDefault = false): boolean {
    // The next update may also set the boolean field, and hide its reset.
    if (name === "switch" && next === "same again") return true;
    if (SETS_SWITCH.has(name) && WITHOUT_SWITCH.has(next) && isOffDefault) return true;
    if (UNREAD_EVENTS.has(name)) return false;
    if (PARTIAL_EVENTS.has(next)) return READ_AFTER.has(name);
    return !this.#isReadLater(name, next);
  }

  /** True if a read after the rejection is enough. Some are at once, as rejections may empty outdated caches. */
  #isReadLater(name: EventName, next: EventName): boolean {
    const isLater = HALVES.has(name) && REJECTED_EVENTS.has(next) && this.#wasRead && this.#unread !== name;
    if (isLater) this.#unread = name;
    this.#wasRead = !isLater;
    return isLater;
  }
}
