import type { Context } from "../../context.ts";
import { LIST_CONDITIONS } from "../../history/read-conditions.ts";
import { LISTS, PAGED, refuse, showPagination, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { OperationName } from "../../operations.ts";
import { type Row, tabled } from "../../operators/operator.ts";
import { Rejected } from "../../problems.ts";
import { asked, FILTERS, moveStart } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { Defect } from "../defect.ts";
import { oneOf } from "./group.ts";

const CODES: Where = ["GET /v1/payment-codes"];
const BY_COUNTRY: Where = ["GET /banks", "GET /momos"];
const WITH_TOTAL: Where = ["GET /webhooks", "GET /banks", "GET /momos", "GET /countries"];

const members =
  (change: (members: readonly StoredRecord[], ctx: Context) => readonly StoredRecord[]) => (): Hooks => ({
    members: change,
  });
const sizes = (change: (size: number, sent: string | null) => number) => (): Hooks => ({
  pageSize: (size, _ctx, sent) => change(size, sent),
});

const crashing = (): Hooks => ({
  item: () => {
    throw new Rejected({
      status: 500,
      headers: {},
      problems: [{ at: "url", rule: "state", message: "internal error" }],
    });
  },
});

/** Webhooks have ids as cursors, and payment codes have filters, so further requirements break. */
const behindCursor = (breaks: readonly string[]) => (operation: OperationName) => [
  ...breaks,
  ...(operation === "GET /webhooks" ? ["ITEM-CURSOR-AFTER"] : []),
  ...(operation === "GET /v1/payment-codes" ? ["CURSOR-FILTERED"] : []),
];

const OF_PAGES: Readonly<Record<string, Row>> = {
  "edge-skipped": [
    behindCursor(["CURSOR-COMPLETE", "CURSOR-REPEATABLE", "READ-STABLE"]),
    "the first item behind a cursor is skipped",
    (where) => moveStart(where, (start) => start + 1),
  ],
  "edge-repeated": [
    behindCursor(["CURSOR-ONCE", "CURSOR-REPEATABLE", "READ-STABLE"]),
    "a page begins with the last item of the one before",
    (where) => moveStart(where, (start) => start - 1),
  ],
  "first-page-again": [
    behindCursor(["CURSOR-ONCE", "CURSOR-END", "CURSOR-REPEATABLE", "READ-STABLE"]),
    "a cursor leads back to the first page",
    (where) => moveStart(where, () => 0),
  ],
  "order-reversed": [
    ["LIST-ORDER", "CURSOR-REPEATABLE", "READ-STABLE"],
    "the list is in reverse order",
    members((all) => all.toReversed()),
  ],
  "list-ends-early": [
    behindCursor(["CURSOR-END", "CURSOR-COMPLETE"]),
    "the page has no next",
    () => ({ cursorText: () => null }),
  ],
  "next-refused": [
    behindCursor(["CURSOR-ACCEPTED", "CURSOR-REPEATABLE"]),
    "a cursor is refused",
    () => ({ cursorStart: () => null }),
  ],
  "page-one-more": [
    "LIST-LIMIT-RESPECTED",
    "a page has one item more than the limit",
    sizes((size, sent) => (sent === null ? size : size + 1)),
  ],
  "page-one-less": [
    ["LIST-FULL-PAGES", "CURSOR-REPEATABLE"],
    "a page has one item less than the limit",
    sizes((size) => Math.max(1, size - 1)),
  ],
  "default-20": [
    "LIST-LIMIT-DEFAULT",
    "without a limit a page has 20 items",
    sizes((size, sent) => (sent === null ? 20 : size)),
  ],
};

function lacking(operation: OperationName): readonly string[] {
  return PAGED.includes(operation)
    ? [
        ...behindCursor(["CURSOR-COMPLETE", "CURSOR-REPEATABLE", "READ-STABLE"])(operation),
        ...(CODES.includes(operation) ? ["FILTER-COMPLETE"] : []),
      ]
    : ["READ-STABLE", "CURSOR-REPEATABLE", "READ-MATCHES-LIST"];
}

const OF_ALL: Readonly<Record<string, Row>> = {
  "item-lost": [
    lacking,
    "the second item of the list is left out",
    members((all) => all.filter((_, index) => index !== 1)),
  ],
  "list-empty": [lacking, "the list is empty", members(() => [])],
  "count-one-more": [
    "LIST-COUNT",
    "count is one more than the items",
    (where) =>
      showPagination(where, (pagination) => ({ ...pagination, count: Number(pagination.count) + 1 })),
  ],
  "list-crashes": ["NO-SERVER-ERROR", "the list is answered with 500", crashing],
  "list-refused": [
    ["PARAMETER-ACCEPTED", "LIST-LIMIT-ACCEPTED", "VERSION-ACCEPTED", "CURSOR-ACCEPTED"],
    "the list is refused",
    (where) => refuse(where, "query", { at: "query", rule: "state", message: "not now" }, () => true),
  ],
};

function losingOne(): () => Hooks {
  return () => {
    const lost = new WeakMap<Context, string>();
    return {
      matches: (matches, ctx, { record }) => {
        if (matches && !lost.has(ctx)) lost.set(ctx, record.id);
        return matches && lost.get(ctx) !== record.id;
      },
    };
  };
}

const OF_FILTERED: Readonly<Record<string, Row>> = {
  "filter-ignored": ["FILTER-SOUND", "filters are ignored", () => ({ matches: () => true })],
  "filter-finds-nothing": ["FILTER-COMPLETE", "filters find nothing", () => ({ matches: () => false })],
  "filter-loses-one": ["FILTER-COMPLETE", "filters lose the newest of what they should find", losingOne],
  "filter-of-first": [
    "FILTER-SOUND",
    "of several filters only one holds",
    () => ({
      matches: (matches, ctx, { parameter }) =>
        matches || FILTERS.find((name) => asked(ctx, name) !== "") !== parameter,
    }),
  ],
};

const OF_COUNTRIES: Readonly<Record<string, Row>> = {
  "country-ignored": [
    "FILTER-SOUND",
    "providers of every country are listed",
    () => ({ matches: () => true }),
  ],
};

export const listHistoryDefects: readonly Defect[] = [
  ...tabled(PAGED, oneOf(3, LIST_CONDITIONS), OF_PAGES),
  ...tabled(LISTS, oneOf(4, LIST_CONDITIONS), OF_ALL),
  ...tabled(CODES, oneOf(2, LIST_CONDITIONS), OF_FILTERED),
  ...tabled(BY_COUNTRY, oneOf(2, LIST_CONDITIONS), OF_COUNTRIES),
  ...tabled(WITH_TOTAL, oneOf(4, LIST_CONDITIONS), {
    "total-below-count": [
      "LIST-TOTAL",
      "total is one less than count",
      (where) =>
        showPagination(where, (pagination) => ({ ...pagination, total: Number(pagination.count) - 1 })),
    ],
  }),
];
