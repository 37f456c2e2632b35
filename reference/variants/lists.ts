import type { Context } from "../context.ts";
import { isAt, LISTS, overlook, PAGED, refuse, showEnvelope, showPagination } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { hashOf, together } from "./tools.ts";
import type { Variant } from "./variant.ts";

const TOTALLED: readonly OperationName[] = ["GET /webhooks", "GET /banks", "GET /momos", "GET /countries"];
const REFERENCE: readonly OperationName[] = ["GET /banks", "GET /momos", "GET /countries"];

const order =
  "Sections 2.2 and 4 state no order; row 35 asks only that it is the same whatever the page size";

function sentValue(ctx: Context, name: string): string {
  return ctx.query.get(name)?.[0] ?? "";
}

function pagedReference(size: number): Hooks {
  return {
    window: (window, ctx) => {
      if (!isAt(ctx, REFERENCE)) return window;
      const start = Math.min(Number.parseInt(sentValue(ctx, "after"), 10) || 0, window.end);
      return { start, end: Math.min(start + size, window.end) };
    },
    cursorText: (text, ctx, { items, window }) =>
      isAt(ctx, REFERENCE) && window.end < items.length ? String(window.end) : text,
  };
}

const filtersLeaveGaps: Hooks = together(
  { matches: (matches, ctx) => matches || isAt(ctx, ["GET /v1/payment-codes"]) },
  showEnvelope(["GET /v1/payment-codes"], (body, ctx) => {
    const wanted = { ussdCode: "ussd_code", mode: "mode", status: "status" };
    const result = (Array.isArray(body.result) ? body.result : []).filter(
      (item) =>
        isObject(item) &&
        Object.entries(wanted).every(([field, parameter]) => {
          const value = sentValue(ctx, parameter);
          return value === "" || item[field] === value;
        }),
    );
    const pagination = isObject(body.pagination) ? body.pagination : {};
    return { ...body, result, pagination: { ...pagination, count: result.length } };
  }),
);

export const listVariants: readonly Variant[] = [
  {
    name: "oldest-first",
    description: "Lists are in order of creation.",
    why: `${order}.`,
    hooks: { members: (records, ctx) => (isAt(ctx, PAGED) ? records.toReversed() : records) },
  },
  {
    name: "no-order-to-see",
    description: "Lists are in an order that looks like chance but stays; new items are anywhere in it.",
    why: `${order}.`,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, LISTS) ? records.toSorted((a, b) => hashOf(a.id) - hashOf(b.id)) : records,
    },
  },
  {
    name: "last-changed-first",
    description: "Lists are in the order of the last change: an update moves an item to the head.",
    why: `${order}; row 34 has changes told from faults.`,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, PAGED) ? records.toSorted((a, b) => b.writtenAt - a.writtenAt) : records,
    },
  },
  {
    name: "order-by-page-size",
    description: "Payment codes come oldest first on pages of more than 20.",
    why: "Row 35: the same order whatever the page size is a SHOULD.",
    warns: ["LIST-ORDER"],
    options: { size: { paymentCodes: 60 } },
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, ["GET /v1/payment-codes"]) && Number(sentValue(ctx, "limit")) > 20
          ? records.toReversed()
          : records,
    },
  },
  {
    name: "short-pages",
    description: "Pages hold about two thirds of what was asked for, and have a next all the same.",
    why: "Row 31 caps a page at the limit; row 35: that a page with a next is full is a SHOULD.",
    warns: ["LIST-FULL-PAGES"],
    hooks: {
      window: ({ start, end }, ctx) =>
        isAt(ctx, PAGED) ? { start, end: start + Math.ceil((end - start) * 0.65) } : { start, end },
    },
  },
  {
    name: "one-item-a-page",
    description: "Every page holds one item, whatever the limit, and has a next while there are more.",
    why: "Row 31 caps a page at the limit; row 35: that a page with a next is full is a SHOULD.",
    warns: ["LIST-FULL-PAGES"],
    hooks: {
      window: ({ start, end }, ctx) =>
        isAt(ctx, PAGED) ? { start, end: Math.min(start + 1, end) } : { start, end },
    },
  },
  {
    name: "filters-leave-gaps",
    description: "A filter is applied to pages already cut, which may be left empty and still have a next.",
    why: "Row 35: that a page with a next is full is a SHOULD; rows 33 and 45 hold.",
    warns: ["LIST-FULL-PAGES"],
    hooks: filtersLeaveGaps,
  },
  {
    name: "limit-clamped",
    description: "A limit below 1 counts as 1, one above 50 as 50, and one that is no number as left out.",
    why: "Row 36: rejecting such limits is a SHOULD; no page exceeds 50.",
    warns: ["LIST-LIMIT-REJECTED"],
    hooks: {
      ...overlook(PAGED, { at: "query.limit", rule: ["type", "minimum", "maximum"] }),
      pageSize: (size, _ctx, sent) => {
        const asked = sent === null || sent === "" ? Number.NaN : Number(sent);
        return Number.isNaN(asked) ? size : Math.min(50, Math.max(1, Math.trunc(asked)));
      },
    },
  },
  {
    name: "before-gives-first-items",
    description: "A before page holds the first of the preceding items, not the nearest.",
    why: "Row 40: which of the preceding items a before page holds is left open.",
    hooks: {
      window: ({ start, end }, ctx, { size }) =>
        isAt(ctx, ["GET /webhooks"]) && sentValue(ctx, "before") !== "" && sentValue(ctx, "after") === ""
          ? { start: 0, end: Math.min(size, end) }
          : { start, end },
    },
  },
  {
    name: "before-has-no-next",
    description: "next is always null on a before page.",
    why: "Rulings on rows 37 and 40: what next means on a before page is left open.",
    hooks: {
      cursorText: (text, ctx) =>
        sentValue(ctx, "before") !== "" && sentValue(ctx, "after") === "" ? null : text,
    },
  },
  {
    name: "total-is-an-estimate",
    description: "total is the number of items rounded up to more than there are.",
    why: "Row 38 asks for a total not below count; that it is exact is a SHOULD (row 39).",
    warns: ["LIST-TOTAL-EXACT"],
    hooks: showPagination(TOTALLED, (pagination, _ctx, { items }) => ({
      ...pagination,
      total: Math.ceil((items.length + 1) / 10) * 10,
    })),
  },
  {
    name: "total-is-what-remains",
    description: "On later pages total counts what remains.",
    why: "Ruling on row 39: total is compared on the first page only.",
    hooks: showPagination(["GET /webhooks"], (pagination, _ctx, { items, window }) => ({
      ...pagination,
      total: items.length - window.start,
    })),
  },
  {
    name: "total-on-every-list",
    description: "Lists of sessions and payment codes show a total too.",
    why: "Row 40: a total on other lists is left open.",
    hooks: showPagination(LISTS, (pagination, _ctx, { items }) => ({ ...pagination, total: items.length })),
  },
  {
    name: "reference-lists-in-pages",
    description: "Banks, momos and countries come three at a time, with a next.",
    why: "Row 40: a next on lists that show no cursor parameter is left open.",
    hooks: pagedReference(3),
  },
  {
    name: "unknown-filter-finds-nothing",
    description: "A mode or status that does not exist gives an empty list.",
    why: "Row 46: rejecting it is a SHOULD; an empty list holds no item that does not match.",
    warns: ["FILTER-ENUM"],
    hooks: overlook(["GET /v1/payment-codes"], { stage: "query", rule: "enum" }),
  },
  {
    name: "country-without-providers-refused",
    description: "Banks and momos are asked for only in countries that have some.",
    why: "Row 48: the empty success for an assigned code without providers is a SHOULD.",
    warns: ["FILTER-NOTHING-FOUND"],
    hooks: refuse(
      ["GET /banks", "GET /momos"],
      "query",
      { at: "query.country", rule: "enum", message: "there is nothing in this country" },
      (ctx) => {
        const kind = ctx.operation === "GET /banks" ? "bank" : "momo";
        return !ctx.service.store.all(kind).some(({ data }) => data.country === sentValue(ctx, "country"));
      },
    ),
  },
  {
    name: "country-in-any-casing",
    description:
      "Country codes are taken in any casing, and two letters that are assigned to nothing find nothing.",
    why: "Ruling on row 47: lower-case and unassigned two-letter codes are left open.",
    hooks: {
      ...overlook(["GET /banks", "GET /momos"], { at: "query.country", rule: "enum" }),
      matches: (matches, _ctx, { parameter, value, record }) =>
        parameter === "country" ? record.data.country === value.toUpperCase() : matches,
    },
  },
];
