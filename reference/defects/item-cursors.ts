import { moveLimit, type Where } from "../hook-tools.ts";
import type { Hooks, Window } from "../hooks.ts";
import { EVERY_VERSION, type Row, tabled } from "../operators/operator.ts";
import { asked } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const WEBHOOKS: Where = ["GET /webhooks"];

interface Page {
  readonly items: readonly StoredRecord[];
  readonly size: number;
}

function before(
  isMeant: (after: string) => boolean,
  change: (place: number, window: Window, page: Page) => Window,
): () => Hooks {
  return () => ({
    window: (window, ctx, page) => {
      const place = page.items.findIndex(({ id }) => id === asked(ctx, "before"));
      return place >= 0 && isMeant(asked(ctx, "after")) ? change(place, window, page) : window;
    },
  });
}

const ITEM_CURSORS: Readonly<Record<string, Row>> = {
  "before-includes": [
    "ITEM-CURSOR-BEFORE",
    "before gives the named item too",
    before(
      (after) => after === "",
      (place, _window, { size }) => ({ start: Math.max(0, place + 1 - size), end: place + 1 }),
    ),
  ],
  "before-is-after": [
    "ITEM-CURSOR-BEFORE",
    "before gives what follows the item",
    before(
      (after) => after === "",
      (place, _window, { items, size }) => ({
        start: place + 1,
        end: Math.min(place + 1 + size, items.length),
      }),
    ),
  ],
  "before-ignored": [
    "ITEM-CURSOR-BEFORE",
    "before is ignored",
    before(
      (after) => after === "",
      (_place, _window, { items, size }) => ({ start: 0, end: Math.min(size, items.length) }),
    ),
  ],
  "before-oversized": [
    "LIST-LIMIT-RESPECTED",
    "a page with before has one item more than the limit",
    before(
      (after) => after === "",
      (place, _window, { size }) => ({ start: Math.max(0, place - size - 1), end: place }),
    ),
  ],
  "before-wins": [
    "ITEM-CURSOR-PRECEDENCE",
    "with both, after is ignored",
    before(
      (after) => after !== "",
      (place, _window, { size }) => ({ start: Math.max(0, place - size), end: place }),
    ),
  ],
  "before-and-after-enclose": [
    "ITEM-CURSOR-PRECEDENCE",
    "with both, only what is between them is given",
    before(
      (after) => after !== "",
      (place, window) => ({ ...window, end: Math.max(window.start, Math.min(window.end, place)) }),
    ),
  ],
  "before-unknown-taken": [
    "CURSOR-UNKNOWN",
    "before with an unknown id gives the first page",
    () => ({
      cursorStart: (start, _ctx, { parameter, items }) =>
        parameter === "before" ? (start ?? items.length) : start,
    }),
  ],
  "before-long-taken": [
    "CURSOR-TOO-LONG",
    "before may be longer than 100 characters",
    (where) =>
      together(
        moveLimit(where, { at: "query.before", rule: "maxLength" }, () => 1e6),
        { cursorStart: (start, _ctx, { text, items }) => (text.length > 100 ? items.length : start) },
      ),
  ],
};

export const itemCursorDefects: readonly Defect[] = tabled(WEBHOOKS, EVERY_VERSION, ITEM_CURSORS);
