import { encodeCursor } from "../../cursors.ts";
import { isAt, moveLimit, PAGED, showEnvelope, showPagination, type Where } from "../../hook-tools.ts";
import { asked, CODES, listOf, moveStart, OTPS, WEBHOOKS } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const LIMIT = "query.limit";
const MOMOS: Where = ["GET /momos"];
const REFERENCE_LISTS: Where = ["GET /banks", "GET /momos", "GET /countries"];
const LONG_ENOUGH: Where = [...OTPS, ...WEBHOOKS];

/** So many copies of records that every list of them has more than 60 in each space. */
function enough(records: readonly StoredRecord[]): readonly StoredRecord[] {
  return Array.from({ length: 16 }, (_, copy) =>
    records.map((record) => (copy === 0 ? record : { ...record, id: `${record.id}${copy}` })),
  ).flat();
}

/** Defects of pagination, of page sizes and of orders that several lists share (rows 4, 10, 16, 30 to 39). */
export const wideListDefects: readonly Defect[] = [
  {
    name: "no-pagination-without-a-next-page",
    description: "Lists leave pagination out when there is no next page.",
    requirement: "PAGINATION-PRESENT",
    alsoBreaks: ["LIST-TOTAL", "LIST-COUNT"],
    row: 4,
    level: "MUST",
    operations: PAGED,
    hooks: showEnvelope(PAGED, ({ pagination = null, ...body }) =>
      JSON.stringify(pagination).includes('"next":null') ? body : { ...body, pagination },
    ),
  },
  {
    name: "no-next-where-there-is-no-cursor",
    description: "Lists without cursors have no next instead of null.",
    requirement: "PAGINATION-FIELDS",
    row: 10,
    level: "MUST",
    operations: REFERENCE_LISTS,
    hooks: showPagination(REFERENCE_LISTS, ({ next: _, ...pagination }) => pagination),
  },
  {
    name: "count-of-active-providers",
    description: "count of the lists of banks and momos is one lower, as if the last were inactive.",
    requirement: "LIST-COUNT",
    alsoBreaks: ["LIST-TOTAL-EXACT"],
    row: 30,
    level: "MUST",
    operations: ["GET /banks", "GET /momos"],
    hooks: showPagination(["GET /banks", "GET /momos"], (pagination, _ctx, { items }) => ({
      ...pagination,
      count: Math.max(0, items.length - 1),
    })),
  },
  {
    name: "total-left-out",
    description: "Lists that should have a total have none.",
    requirement: "LIST-TOTAL",
    row: 38,
    level: "MUST",
    operations: [...REFERENCE_LISTS, ...WEBHOOKS],
    hooks: showPagination([...REFERENCE_LISTS, ...WEBHOOKS], ({ total: _, ...pagination }) => pagination),
  },
  {
    name: "total-counts-a-heading",
    description: "total of the lists of reference data is one too high.",
    requirement: "LIST-TOTAL-EXACT",
    row: 39,
    level: "SHOULD",
    operations: REFERENCE_LISTS,
    hooks: showPagination(REFERENCE_LISTS, (pagination, _ctx, { items }) => ({
      ...pagination,
      total: items.length + 1,
    })),
  },
  {
    name: "first-item-pinned-and-listed",
    description: "The first item of a list is at its beginning twice: pinned there, and in its own place.",
    requirement: "LIST-IDS-UNIQUE",
    alsoBreaks: ["CURSOR-ONCE"],
    row: 16,
    level: "MUST",
    operations: [...PAGED, ...MOMOS],
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, [...PAGED, ...MOMOS]) ? [...records.slice(0, 1), ...records] : records,
    },
  },
  {
    name: "limit-1-gives-two-everywhere",
    description: "limit=1 gives two items, in every list.",
    requirement: "LIST-LIMIT-RESPECTED",
    row: 31,
    level: "MUST",
    operations: PAGED,
    hooks: { pageSize: (size, ctx) => (isAt(ctx, PAGED) && size === 1 ? 2 : size) },
  },
  {
    name: "long-lists-on-one-page",
    description:
      "A limit of up to 1000 gives that many USSD OTP sessions or webhooks, of which there are many.",
    requirement: "LIST-PAGE-MAXIMUM",
    alsoBreaks: ["LIST-LIMIT-REJECTED"],
    row: 31,
    level: "MUST",
    operations: LONG_ENOUGH,
    hooks: together(
      moveLimit(LONG_ENOUGH, { at: LIMIT, rule: "maximum" }, () => 1000),
      {
        seed: (data) => ({
          ...data,
          ussdOtp: enough(data.ussdOtp ?? []),
          webhook: enough(data.webhook ?? []),
        }),
      },
    ),
  },
  {
    name: "code-default-limit-20",
    description: "Without a limit, a page of payment codes has 20 items.",
    requirement: "LIST-LIMIT-DEFAULT",
    row: 32,
    level: "MUST",
    operations: CODES,
    hooks: moveLimit(CODES, { at: LIMIT, rule: "default" }, () => 20),
  },
  {
    name: "limit-5-gives-four",
    description: "limit=5 gives four items and a next.",
    requirement: "LIST-FULL-PAGES",
    row: 35,
    level: "SHOULD",
    operations: PAGED,
    hooks: { pageSize: (size, ctx) => (isAt(ctx, PAGED) && size === 5 ? 4 : size) },
  },
  {
    name: "pages-of-seven-in-another-order",
    description: "With a limit of 7, as many as a week has days, lists are oldest first.",
    requirement: "LIST-ORDER",
    row: 35,
    level: "SHOULD",
    operations: PAGED,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, PAGED) && asked(ctx, "limit") === "7" ? records.toReversed() : records,
    },
  },
  {
    name: "code-next-empty-at-the-end",
    description: "next is an empty text on the last page of payment codes.",
    requirement: "CURSOR-FORM",
    alsoBreaks: ["CURSOR-END"],
    row: 33,
    level: "MUST",
    operations: CODES,
    hooks: showPagination(CODES, (pagination) => ({ ...pagination, next: pagination.next ?? "" })),
  },
  {
    name: "endless-empty-code-pages",
    description: "The last page of payment codes, and each empty one behind it, has a next.",
    requirement: "CURSOR-END",
    row: 33,
    level: "MUST",
    operations: CODES,
    hooks: {
      cursorText: (text, ctx, { items }) => {
        const last = items.at(-1);
        return text ?? (isAt(ctx, CODES) && last ? encodeCursor(ctx, listOf(ctx), last) : null);
      },
    },
  },
  {
    name: "cursor-refused-beside-limit-7",
    description: "after is refused beside a limit of 7 in the lists of payment codes and webhooks.",
    requirement: "CURSOR-ACCEPTED",
    row: 33,
    level: "MUST",
    operations: [...CODES, ...WEBHOOKS],
    hooks: {
      cursorStart: (start, ctx, { parameter }) =>
        parameter === "after" && isAt(ctx, [...CODES, ...WEBHOOKS]) && asked(ctx, "limit") === "7"
          ? null
          : start,
    },
  },
  {
    name: "webhook-doubled-in-pages-of-seven",
    description: "A page of 7 webhooks behind a cursor starts with the last item of the page before.",
    requirement: "CURSOR-ONCE",
    alsoBreaks: ["LIST-IDS-UNIQUE", "CURSOR-END"],
    row: 34,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: moveStart(WEBHOOKS, (start, ctx) => (asked(ctx, "limit") === "7" ? start - 1 : start)),
  },
  {
    name: "webhook-skipped-in-pages-of-seven",
    description: "A page of 7 webhooks behind a cursor leaves out the item at the border.",
    requirement: "CURSOR-COMPLETE",
    row: 34,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: moveStart(WEBHOOKS, (start, ctx) => (asked(ctx, "limit") === "7" ? start + 1 : start)),
  },
  {
    name: "webhook-cursor-moves-on",
    description: "after in the list of webhooks, given again beside a limit of 2 or 5, gives the page after.",
    requirement: "CURSOR-REPEATABLE",
    row: 35,
    level: "SHOULD",
    operations: WEBHOOKS,
    hooks: () => {
      const uses = new Map<string, number>();
      return moveStart(WEBHOOKS, (start, ctx) => {
        const limit = asked(ctx, "limit");
        if (limit !== "2" && limit !== "5") return start;
        const use = [ctx.space, ctx.version, limit, asked(ctx, "after")].join(" ");
        const before = uses.get(use) ?? 0;
        uses.set(use, before + 1);
        return start + before * Number(limit);
      });
    },
  },
];
