import type { Context } from "../context.ts";
import { encodeCursor } from "../cursors.ts";
import { moveLimit, PAGED, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { FILTERED, VERSION_CHOICES } from "../operators/condition.ts";
import { across, type Cases, type Row, SOME_VERSION, tabled } from "../operators/operator.ts";
import { asked, limitOf, listOf, moveStart } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { itemCursorDefects } from "./item-cursors.ts";

const WEBHOOKS: Where = ["GET /webhooks"];
const CODES: Where = ["GET /v1/payment-codes"];
const afterId = (breaks: readonly string[]) => (operation: string) =>
  WEBHOOKS.includes(operation as "GET /webhooks") ? [...breaks, "ITEM-CURSOR-AFTER"] : breaks;

const everyCase: Cases = (operation) => [
  undefined,
  ...VERSION_CHOICES,
  ...(CODES.includes(operation) ? [FILTERED] : []),
];

const hasAfter = (ctx: Context) => asked(ctx, "after") !== "";

function cursorBehind(ctx: Context, item: StoredRecord): string {
  return item.kind === "webhook" ? item.id : encodeCursor(ctx, listOf(ctx), item);
}

function ordered(
  change: (members: readonly StoredRecord[], ctx: Context) => readonly StoredRecord[],
): () => Hooks {
  return () => ({ members: change });
}

/** The function `again` returns the position for each later use, or null to refuse it. */
function spent(again: (start: number | null) => number | null): () => Hooks {
  return () => {
    const used = new Set<string>();
    return {
      cursorStart: (start, ctx, { text }) => {
        const name = `${ctx.request.query} ${text}`;
        if (used.has(name)) return again(start);
        used.add(name);
        return start;
      },
    };
  };
}

const FAULTS: Readonly<Record<string, Row>> = {
  "edge-skipped": [
    afterId(["CURSOR-COMPLETE"]),
    "the first item behind a cursor is skipped",
    (where) => moveStart(where, (start) => start + 1),
    everyCase,
  ],
  "edge-repeated": [
    afterId(["CURSOR-ONCE"]),
    "a page begins with the last item of the one before",
    (where) => moveStart(where, (start) => start - 1),
    everyCase,
  ],
  "edge-skipped-in-small-pages": [
    ["CURSOR-COMPLETE", "ITEM-CURSOR-AFTER"],
    "at a limit below 10 the first item behind a cursor is skipped",
    (where) => moveStart(where, (start, ctx) => (limitOf(ctx) < 10 ? start + 1 : start)),
  ],
  "edge-skipped-in-large-pages": [
    ["CURSOR-COMPLETE", "ITEM-CURSOR-AFTER"],
    "at a limit above 10 the first item behind a cursor is skipped",
    (where) => moveStart(where, (start, ctx) => (limitOf(ctx) > 10 ? start + 1 : start)),
  ],
  "edge-repeated-on-third-page": [
    ["CURSOR-ONCE", "ITEM-CURSOR-AFTER"],
    "the third page begins with the last item of the second",
    (where) => moveStart(where, (start, ctx) => (start === 2 * limitOf(ctx) ? start - 1 : start)),
  ],
  "first-page-again": [
    ["CURSOR-ONCE", "CURSOR-END", "ITEM-CURSOR-AFTER"],
    "a cursor leads back to the first page",
    (where) => moveStart(where, () => 0),
    everyCase,
  ],
  "offset-counts-pages": [
    ["CURSOR-COMPLETE", "CURSOR-ONCE", "ITEM-CURSOR-AFTER"],
    "a cursor leads to twice its place",
    (where) => moveStart(where, (start) => start * 2),
  ],
  "list-ends-early": [
    ["CURSOR-END", "CURSOR-COMPLETE"],
    "no page has a next",
    () => ({ cursorText: () => null }),
    everyCase,
  ],
  "next-on-last-page": [
    "CURSOR-END",
    "the last page, and each empty one behind it, has a next",
    () => ({
      cursorText: (text, ctx, { items }) =>
        text ?? (items.length > 0 ? cursorBehind(ctx, items.at(-1) as StoredRecord) : null),
    }),
    everyCase,
  ],
  "last-leads-to-first": [
    ["CURSOR-END", "CURSOR-ONCE"],
    "next of the last page leads to the beginning",
    () => ({
      cursorText: (text, ctx, { items, window }) =>
        text ?? (window.start > 0 && items[0] ? cursorBehind(ctx, items[0]) : null),
    }),
    everyCase,
  ],
  "next-leads-to-itself": [
    ["CURSOR-END", "CURSOR-ONCE"],
    "next of a page behind a cursor is that cursor",
    () => ({
      cursorText: (text, ctx) => (text !== null && hasAfter(ctx) ? asked(ctx, "after") : text),
    }),
  ],
  "next-empty": [
    ["CURSOR-FORM", "CURSOR-END"],
    "next is an empty text at the end",
    () => ({ cursorText: (text) => text ?? "" }),
    everyCase,
  ],
  "next-too-long": [
    "CURSOR-FORM",
    "next is longer than after may be",
    () => ({
      cursorText: (text, ctx) => text?.padEnd(ctx.operation === "GET /webhooks" ? 101 : 2001, "=") ?? null,
    }),
    everyCase,
  ],
  "next-refused": [
    "CURSOR-ACCEPTED",
    "every cursor is refused",
    () => ({ cursorStart: () => null }),
    everyCase,
  ],
  "next-refused-again": ["CURSOR-REPEATABLE", "a cursor is refused the second time", spent(() => null)],
  "next-moves-on": [
    "CURSOR-REPEATABLE",
    "a cursor leads one item further the second time",
    spent((start) => (start === null ? null : start + 1)),
  ],
  "order-by-limit": [
    "LIST-ORDER",
    "small pages are in reverse order",
    ordered((members, ctx) => (limitOf(ctx) < 5 ? members.toReversed() : members)),
  ],
  "unlimited-otherwise-ordered": [
    ["LIST-LIMIT-DEFAULT", "LIST-ORDER"],
    "without a limit the list is in reverse order",
    ordered((members, ctx) => (asked(ctx, "limit") ? members : members.toReversed())),
  ],
  "items-lost-in-small-pages": [
    "CURSOR-COMPLETE",
    "the third item of the list is never on small pages",
    ordered((members, ctx) => (limitOf(ctx) < 10 ? members.filter((_, index) => index !== 2) : members)),
  ],
  "page-short-behind-first": [
    "LIST-FULL-PAGES",
    "pages behind a cursor have one item less",
    () => ({ pageSize: (size, ctx) => (hasAfter(ctx) ? Math.max(1, size - 1) : size) }),
  ],
  "unknown-cursor-taken": [
    "CURSOR-UNKNOWN",
    "a cursor that was never issued leads to the beginning",
    () => ({ cursorStart: (start) => start ?? 0 }),
    everyCase,
  ],
  "unknown-cursor-empty": [
    "CURSOR-UNKNOWN",
    "a cursor that was never issued leads to the end",
    () => ({ cursorStart: (start, _ctx, { items }) => start ?? items.length }),
  ],
  "long-cursor-taken": [
    "CURSOR-TOO-LONG",
    "a cursor over the length limit leads to the beginning",
    (where) =>
      together(
        moveLimit(where, { at: "query.after", rule: "maxLength" }, () => 1e6),
        {
          cursorStart: (start, ctx, { text }) =>
            text.length > (ctx.operation === "GET /webhooks" ? 100 : 2000) ? 0 : start,
        },
      ),
  ],
};

export const cursorDefects: readonly Defect[] = [
  ...tabled(PAGED, SOME_VERSION, FAULTS),
  ...across("cursor-loses-filter", CODES, SOME_VERSION, {
    breaks: ["CURSOR-FILTERED", "FILTER-SOUND"],
    does: "filters do not hold behind a cursor",
    hooks: () => ({ matches: (matches, ctx) => matches || hasAfter(ctx) }),
  }),
  ...itemCursorDefects,
];
