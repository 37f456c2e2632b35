import { isAt } from "../../hook-tools.ts";
import type { Hooks, Window } from "../../hooks.ts";
import { asked, moveStart, WEBHOOKS } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

interface Page {
  readonly items: readonly StoredRecord[];
  readonly size: number;
}

/** Another part of the list of webhooks for a known `before`; `place` is the index of the item it names. */
function windowFor(
  isMeant: (after: string) => boolean,
  change: (place: number, window: Window, page: Page) => Window,
): Hooks {
  return {
    window: (window, ctx, page) => {
      const place = page.items.findIndex(({ id }) => id === asked(ctx, "before"));
      return isAt(ctx, WEBHOOKS) && place >= 0 && isMeant(asked(ctx, "after"))
        ? change(place, window, page)
        : window;
    },
  };
}

/** Defects of after and before where they name items (row 37). */
export const itemCursorDefects: readonly Defect[] = [
  {
    name: "after-includes-the-named-webhook",
    description: "after gives a page that starts with the named webhook itself.",
    requirement: "ITEM-CURSOR-AFTER",
    alsoBreaks: ["CURSOR-ONCE", "CURSOR-END", "LIST-IDS-UNIQUE", "LIST-TOTAL-EXACT"],
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: moveStart(WEBHOOKS, (start) => start - 1),
  },
  {
    name: "after-skips-a-webhook",
    description: "after gives a page that starts with the second webhook behind the named one.",
    requirement: "ITEM-CURSOR-AFTER",
    alsoBreaks: ["CURSOR-COMPLETE", "LIST-TOTAL-EXACT"],
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: moveStart(WEBHOOKS, (start) => start + 1),
  },
  {
    name: "before-includes-the-named-webhook",
    description: "before gives a page that ends with the named webhook itself.",
    requirement: "ITEM-CURSOR-BEFORE",
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: windowFor(
      (after) => after === "",
      (place, _window, { size }) => ({ start: Math.max(0, place + 1 - size), end: place + 1 }),
    ),
  },
  {
    name: "before-gives-what-follows",
    description: "before is read like after.",
    requirement: "ITEM-CURSOR-BEFORE",
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: windowFor(
      (after) => after === "",
      (place, _window, { items, size }) => ({
        start: place + 1,
        end: Math.min(place + 1 + size, items.length),
      }),
    ),
  },
  {
    name: "before-wins-over-after",
    description: "With both, after is ignored.",
    requirement: "ITEM-CURSOR-PRECEDENCE",
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: windowFor(
      (after) => after !== "",
      (place, _window, { size }) => ({ start: Math.max(0, place - size), end: place }),
    ),
  },
  {
    name: "after-and-before-enclose",
    description: "With both, only the webhooks between the two are given.",
    requirement: "ITEM-CURSOR-PRECEDENCE",
    row: 37,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: windowFor(
      (after) => after !== "",
      (place, window) => ({ ...window, end: Math.max(window.start, Math.min(window.end, place)) }),
    ),
  },
];
