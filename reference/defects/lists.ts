import type { Context } from "../context.ts";
import {
  LISTS,
  moveLimit,
  overlook,
  PAGED,
  refuse,
  showEnvelope,
  showPagination,
  type Where,
} from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { JsonObject } from "../json.ts";
import { FILTERED, LATER_PAGES, VERSION_CHOICES } from "../operators/condition.ts";
import { ALWAYS, across, type Cases, type Row, SOME_VERSION, tabled } from "../operators/operator.ts";
import { asked, limitOf } from "../read-hook-tools.ts";
import { together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const CODES: Where = ["GET /v1/payment-codes"];
const UNPAGED: Where = LISTS.filter((name) => !PAGED.includes(name));
const WITH_TOTAL: Where = ["GET /webhooks", ...UNPAGED];

const everyCase: Cases = (operation) => [
  undefined,
  ...VERSION_CHOICES,
  ...(PAGED.includes(operation) ? [LATER_PAGES] : []),
  ...(CODES.includes(operation) ? [FILTERED] : []),
];

interface Counted {
  readonly pagination: JsonObject;
  readonly count: number;
  readonly all: number;
  readonly ctx: Context;
}

function counting(change: (counted: Counted) => JsonObject): (where: Where) => Hooks {
  return (where) =>
    showPagination(where, (pagination, ctx, { items }) => ({
      ...pagination,
      ...change({ pagination, count: Number(pagination.count), all: items.length, ctx }),
    }));
}

const COUNTS: Readonly<
  Record<
    string,
    readonly [where: Where, breaks: string, does: string, change: (counted: Counted) => JsonObject]
  >
> = {
  "count-one-more": [
    LISTS,
    "LIST-COUNT",
    "count is one more than the items",
    ({ count }) => ({ count: count + 1 }),
  ],
  "count-one-less": [
    LISTS,
    "LIST-COUNT",
    "count is one less than the items",
    ({ count }) => ({ count: Math.max(0, count - 1) }),
  ],
  "count-of-all": [PAGED, "LIST-COUNT", "count is that of the whole list", ({ all }) => ({ count: all })],
  "count-is-limit": [
    PAGED,
    "LIST-COUNT",
    "count is the limit, however many items there are",
    ({ ctx }) => ({ count: limitOf(ctx) }),
  ],
  "count-zero": [LISTS, "LIST-COUNT", "count is always 0", () => ({ count: 0 })],
  "total-below-count": [
    WITH_TOTAL,
    "LIST-TOTAL",
    "total is one less than count",
    ({ count }) => ({ total: count - 1 }),
  ],
  "total-fraction": [WITH_TOTAL, "LIST-TOTAL", "total has a fraction", ({ all }) => ({ total: all + 0.5 })],
  "total-one-more": [
    WITH_TOTAL,
    "LIST-TOTAL-EXACT",
    "total is one more than there are",
    ({ all }) => ({ total: all + 1 }),
  ],
  "total-of-page": [
    ["GET /webhooks"],
    "LIST-TOTAL-EXACT",
    "total counts the page",
    ({ count }) => ({ total: count }),
  ],
  "total-of-kind": [
    ["GET /webhooks", "GET /banks", "GET /momos"],
    "LIST-TOTAL-EXACT",
    "total counts what is in other spaces and countries too",
    ({ ctx }) => ({ total: ctx.service.store.all(recordKindOf(ctx)).length }),
  ],
};

function recordKindOf({ operation }: Context): "webhook" | "bank" | "momo" {
  return operation === "GET /banks" ? "bank" : operation === "GET /momos" ? "momo" : "webhook";
}

function results(change: (items: readonly JsonObject[]) => readonly JsonObject[]): (where: Where) => Hooks {
  return (where) =>
    showEnvelope(where, (body) => {
      const items = change((Array.isArray(body.result) ? body.result : []) as JsonObject[]);
      const pagination = { ...(body.pagination as JsonObject), count: items.length };
      return { ...body, result: [...items], pagination };
    });
}

const sizes = (change: (size: number, sent: string | null, ctx: Context) => number): Hooks => ({
  pageSize: (size, ctx, sent) => change(size, sent, ctx),
});
const limitAt = { at: "query.limit", rule: "maximum" } as const;

function ofEach(sizes: readonly number[], row: (n: number) => [name: string, row: Row]): Record<string, Row> {
  return Object.fromEntries(sizes.map(row));
}

const LIMITS: Readonly<Record<string, Row>> = {
  "one-more-than-limit": [
    "LIST-LIMIT-RESPECTED",
    "a page has one item more than the limit",
    () => sizes((size, sent) => (sent === null ? size : size + 1)),
  ],
  "limit-ignored": ["LIST-LIMIT-RESPECTED", "every page has 10 items", () => sizes(() => 10)],
  ...ofEach([5, 10, 12], (n) => [
    `limit-ignored-below-${n}`,
    [
      "LIST-LIMIT-RESPECTED",
      `a page has ${n} items where fewer are asked for`,
      () => sizes((size) => Math.max(size, n)),
    ],
  ]),
  ...ofEach([1, 9, 11, 13], (n) => [
    `limit-${n}-doubled`,
    [
      "LIST-LIMIT-RESPECTED",
      `limit=${n} gives twice as many items`,
      () => sizes((size, sent) => (sent === String(n) ? size * 2 : size)),
    ],
  ]),
  ...ofEach([2, 9], (n) => [
    `pages-of-at-most-${n}`,
    ["LIST-FULL-PAGES", `no page has more than ${n} items`, () => sizes((size) => Math.min(size, n))],
  ]),
  "pages-one-short": [
    "LIST-FULL-PAGES",
    "a page has one item less than the limit",
    () => sizes((size) => Math.max(1, size - 1)),
  ],
  ...ofEach([1, 5, 9, 11, 20, 50], (n) => [
    `default-${n}`,
    [
      "LIST-LIMIT-DEFAULT",
      `without a limit a page has ${n} items`,
      () => sizes((size, sent) => (sent === null ? n : size)),
    ],
  ]),
  ...ofEach([1, 2, 10, 11, 25, 26, 49, 50], (n) => [
    `limit-${n}-refused`,
    ["LIST-LIMIT-ACCEPTED", `limit=${n} is refused`, refusing((limit) => limit === String(n))],
  ]),
  ...ofEach([20, 40], (n) => [
    `limit-above-${n}-refused`,
    ["LIST-LIMIT-ACCEPTED", `a limit above ${n} is refused`, refusing((limit) => Number(limit) > n)],
  ]),
  "limit-0-taken": ["LIST-LIMIT-REJECTED", "limit=0 is taken", taking((limit) => Number(limit) === 0)],
  "limit-negative-taken": [
    "LIST-LIMIT-REJECTED",
    "a negative limit is taken",
    taking((limit) => Number(limit) < 0),
  ],
  "limit-51-taken": [
    "LIST-LIMIT-REJECTED",
    "limit=51 is taken",
    (where) => moveLimit(where, limitAt, () => 51),
  ],
  "limit-fraction-taken": [
    "LIST-LIMIT-REJECTED",
    "a limit with a fraction is rounded",
    (where) =>
      together(
        taking((limit) => limit.includes("."))(where),
        sizes((size) => Math.max(1, Math.floor(size))),
      ),
  ],
  "limit-text-taken": [
    "LIST-LIMIT-REJECTED",
    "a limit that is no number is ignored",
    taking((limit) => Number.isNaN(Number(limit))),
  ],
};

function refusing(isMeant: (limit: string) => boolean): (where: Where) => Hooks {
  return (where) =>
    refuse(where, "query", { at: "query.limit", rule: "maximum", message: "no such limit" }, (ctx) =>
      isMeant(asked(ctx, "limit")),
    );
}

function taking(isMeant: (limit: string) => boolean): (where: Where) => Hooks {
  return (where) => {
    const { problems: filter } = overlook(where, { at: "query.limit" });
    return {
      problems: (problems, ctx, stage) =>
        filter && isMeant(asked(ctx, "limit")) ? filter(problems, ctx, stage) : problems,
    };
  };
}

function casesOf(name: string): Cases {
  if (name === "limit-13-doubled") return ALWAYS;
  return name.startsWith("default-")
    ? (operation) => everyCase(operation, name).filter((when) => when !== LATER_PAGES)
    : SOME_VERSION;
}

export const listDefects: readonly Defect[] = [
  ...Object.entries(COUNTS).flatMap(([name, [where, breaks, does, change]]) =>
    across(name, where, breaks === "LIST-COUNT" ? everyCase : SOME_VERSION, {
      breaks: [breaks],
      does,
      hooks: counting(change),
    }),
  ),
  ...across("item-twice", LISTS, everyCase, {
    breaks: ["LIST-IDS-UNIQUE"],
    does: "the last item of a page is shown twice",
    hooks: results((items) => [...items, ...items.slice(-1)]),
  }),
  ...tabled(PAGED, (operation, name) => casesOf(name)(operation, name), LIMITS),
  ...across("page-of-51", CODES, SOME_VERSION, {
    breaks: ["LIST-PAGE-MAXIMUM"],
    does: "a limit above 50 gives a page of as many items",
    hooks: taking((limit) => Number(limit) > 50),
  }),
];
