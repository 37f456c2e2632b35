import type { Context } from "../context.ts";
import { encodeCursor } from "../cursors.ts";
import { moveLimit, PAGED, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { FILTERED, VERSION_CHOICES } from "../operators/condition.ts";
import { across, type Cases, type Fault, SOME_VERSION } from "../operators/operator.ts";
import { asked, listOf, moveStart } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { itemCursorDefects } from "./item-cursors.ts";

const WEBHOOKS: Where = ["GET /webhooks"];
const CODES: Where = ["GET /v1/payment-codes"];
const afterId = (breaks: readonly string[]) => (operation: string) =>
  WEBHOOKS.includes(operation as "GET /webhooks") ? [...breaks, "ITEM-CURSOR-AFTER"] : breaks;

/** In all answers, under each version, and under a filter where there are some. */
const everyCase: Cases = (operation) => [
  undefined,
  ...VERSION_CHOICES,
  ...(CODES.includes(operation) ? [FILTERED] : []),
];

const hasAfter = (ctx: Context) => asked(ctx, "after") !== "";
const limitOf = (ctx: Context) => Number(asked(ctx, "limit") || 10);

/** Cursors of a list, however it is paged. */
function cursorBehind(ctx: Context, item: StoredRecord): string {
  return item.kind === "webhook" ? item.id : encodeCursor(ctx, listOf(ctx), item);
}

/** The members of the list in another order, by what is asked. */
function ordered(
  change: (members: readonly StoredRecord[], ctx: Context) => readonly StoredRecord[],
): () => Hooks {
  return () => ({ members: change });
}

/** Answers a cursor once as it should, and later otherwise. */
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

const FAULTS: Readonly<Record<string, Fault & { readonly cases?: Cases; readonly where?: Where }>> = {
  "edge-skipped": {
    breaks: afterId(["CURSOR-COMPLETE"]),
    does: "the first item behind a cursor is skipped",
    hooks: (where) => moveStart(where, (start) => start + 1),
    cases: everyCase,
  },
  "edge-repeated": {
    breaks: afterId(["CURSOR-ONCE"]),
    does: "a page begins with the last item of the one before",
    hooks: (where) => moveStart(where, (start) => start - 1),
    cases: everyCase,
  },
  "edge-skipped-in-small-pages": {
    breaks: ["CURSOR-COMPLETE", "ITEM-CURSOR-AFTER"],
    does: "at a limit below 10 the first item behind a cursor is skipped",
    hooks: (where) => moveStart(where, (start, ctx) => (limitOf(ctx) < 10 ? start + 1 : start)),
  },
  "edge-skipped-in-large-pages": {
    breaks: ["CURSOR-COMPLETE", "ITEM-CURSOR-AFTER"],
    does: "at a limit above 10 the first item behind a cursor is skipped",
    hooks: (where) => moveStart(where, (start, ctx) => (limitOf(ctx) > 10 ? start + 1 : start)),
  },
  "edge-repeated-on-third-page": {
    breaks: ["CURSOR-ONCE", "ITEM-CURSOR-AFTER"],
    does: "the third page begins with the last item of the second",
    hooks: (where) => moveStart(where, (start, ctx) => (start === 2 * limitOf(ctx) ? start - 1 : start)),
  },
  "first-page-again": {
    breaks: ["CURSOR-ONCE", "CURSOR-END", "ITEM-CURSOR-AFTER"],
    does: "a cursor leads back to the first page",
    hooks: (where) => moveStart(where, () => 0),
    cases: everyCase,
  },
  "offset-counts-pages": {
    breaks: ["CURSOR-COMPLETE", "CURSOR-ONCE", "ITEM-CURSOR-AFTER"],
    does: "a cursor leads to twice its place",
    hooks: (where) => moveStart(where, (start) => start * 2),
  },
  "list-ends-early": {
    breaks: ["CURSOR-END", "CURSOR-COMPLETE"],
    does: "no page has a next",
    hooks: () => ({ cursorText: () => null }),
    cases: everyCase,
  },
  "next-on-last-page": {
    breaks: ["CURSOR-END"],
    does: "the last page, and each empty one behind it, has a next",
    hooks: () => ({
      cursorText: (text, ctx, { items }) =>
        text ?? (items.length > 0 ? cursorBehind(ctx, items.at(-1) as StoredRecord) : null),
    }),
    cases: everyCase,
  },
  "last-leads-to-first": {
    breaks: ["CURSOR-END", "CURSOR-ONCE"],
    does: "next of the last page leads to the beginning",
    hooks: () => ({
      cursorText: (text, ctx, { items, window }) =>
        text ?? (window.start > 0 && items[0] ? cursorBehind(ctx, items[0]) : null),
    }),
    cases: everyCase,
  },
  "next-leads-to-itself": {
    breaks: ["CURSOR-END", "CURSOR-ONCE"],
    does: "next of a page behind a cursor is that cursor",
    hooks: () => ({
      cursorText: (text, ctx) => (text !== null && hasAfter(ctx) ? asked(ctx, "after") : text),
    }),
  },
  "next-empty": {
    breaks: ["CURSOR-FORM", "CURSOR-END"],
    does: "next is an empty text at the end",
    hooks: () => ({ cursorText: (text) => text ?? "" }),
    cases: everyCase,
  },
  "next-too-long": {
    breaks: ["CURSOR-FORM"],
    does: "next is longer than after may be",
    hooks: () => ({
      cursorText: (text, ctx) => text?.padEnd(ctx.operation === "GET /webhooks" ? 101 : 2001, "=") ?? null,
    }),
    cases: everyCase,
  },
  "next-refused": {
    breaks: ["CURSOR-ACCEPTED"],
    does: "every cursor is refused",
    hooks: () => ({ cursorStart: () => null }),
    cases: everyCase,
  },
  "next-refused-again": {
    breaks: ["CURSOR-REPEATABLE"],
    does: "a cursor is refused the second time",
    hooks: spent(() => null),
  },
  "next-moves-on": {
    breaks: ["CURSOR-REPEATABLE"],
    does: "a cursor leads one item further the second time",
    hooks: spent((start) => (start === null ? null : start + 1)),
  },
  "order-by-limit": {
    breaks: ["LIST-ORDER"],
    does: "small pages are in reverse order",
    hooks: ordered((members, ctx) => (limitOf(ctx) < 5 ? members.toReversed() : members)),
  },
  "unlimited-otherwise-ordered": {
    breaks: ["LIST-LIMIT-DEFAULT", "LIST-ORDER"],
    does: "without a limit the list is in reverse order",
    hooks: ordered((members, ctx) => (asked(ctx, "limit") ? members : members.toReversed())),
  },
  "items-lost-in-small-pages": {
    breaks: ["CURSOR-COMPLETE"],
    does: "the third item of the list is never on small pages",
    hooks: ordered((members, ctx) =>
      limitOf(ctx) < 10 ? members.filter((_, index) => index !== 2) : members,
    ),
  },
  "page-short-behind-first": {
    breaks: ["LIST-FULL-PAGES"],
    does: "pages behind a cursor have one item less",
    hooks: () => ({ pageSize: (size, ctx) => (hasAfter(ctx) ? Math.max(1, size - 1) : size) }),
  },
  "unknown-cursor-taken": {
    breaks: ["CURSOR-UNKNOWN"],
    does: "a cursor that was never issued leads to the beginning",
    hooks: () => ({ cursorStart: (start) => start ?? 0 }),
    cases: everyCase,
  },
  "unknown-cursor-empty": {
    breaks: ["CURSOR-UNKNOWN"],
    does: "a cursor that was never issued leads to the end",
    hooks: () => ({ cursorStart: (start, _ctx, { items }) => start ?? items.length }),
  },
  "long-cursor-taken": {
    breaks: ["CURSOR-TOO-LONG"],
    does: "a cursor over the length limit leads to the beginning",
    hooks: (where) =>
      together(
        moveLimit(where, { at: "query.after", rule: "maxLength" }, () => 1e6),
        {
          cursorStart: (start, ctx, { text }) =>
            text.length > (ctx.operation === "GET /webhooks" ? 100 : 2000) ? 0 : start,
        },
      ),
  },
  "cursor-loses-filter": {
    where: CODES,
    breaks: ["CURSOR-FILTERED", "FILTER-SOUND"],
    does: "filters do not hold behind a cursor",
    hooks: () => ({ matches: (matches, ctx) => matches || hasAfter(ctx) }),
    cases: SOME_VERSION,
  },
};

/** Cursors: what they look like, where they lead, where they end (sections 2.2, 4 and 8). */
export const cursorDefects: readonly Defect[] = [
  ...Object.entries(FAULTS).flatMap(([name, { cases = SOME_VERSION, where = PAGED, ...fault }]) =>
    across(name, where, cases, fault),
  ),
  ...itemCursorDefects,
];
