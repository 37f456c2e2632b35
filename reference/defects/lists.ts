import { isAt, overlook, PAGED, refuse, showPagination } from "../hook-tools.ts";
import type { Defect } from "./defect.ts";

/** Defects of pages, cursors and filters (rows 16, 30 to 39, 45 to 48). */
export const listDefects: readonly Defect[] = [
  {
    name: "count-is-the-whole-list",
    description: "count is the number of items in the whole list instead of the page.",
    requirement: "LIST-COUNT",
    row: 30,
    level: "MUST",
    operations: ["GET /v1/payment-codes"],
    hooks: showPagination(["GET /v1/payment-codes"], (pagination, _ctx, { items }) => ({
      ...pagination,
      count: items.length,
    })),
  },
  {
    name: "limit-50-refused",
    description: "The highest allowed limit is refused.",
    requirement: "LIST-LIMIT-ACCEPTED",
    row: 31,
    level: "MUST",
    operations: PAGED,
    hooks: refuse(
      PAGED,
      "query",
      { at: "query.limit", rule: "maximum", message: "limit is above 49" },
      (ctx) => ctx.query.get("limit")?.[0] === "50",
    ),
  },
  {
    name: "second-page-repeats-last-item",
    description: "A page behind a cursor starts with the last item of the page before.",
    requirement: "CURSOR-ONCE",
    row: 34,
    level: "MUST",
    operations: ["GET /v1/ussd-otps"],
    hooks: {
      cursorStart: (start, ctx) =>
        start === null || !isAt(ctx, ["GET /v1/ussd-otps"]) ? start : Math.max(0, start - 1),
    },
  },
  {
    name: "unknown-cursor-starts-over",
    description: "A cursor that was never issued gives the first page.",
    requirement: "CURSOR-UNKNOWN",
    row: 36,
    level: "SHOULD",
    operations: PAGED,
    hooks: overlook(PAGED, { at: "query.after", rule: "cursor" }),
  },
  {
    name: "status-filter-lost-beside-mode",
    description: "The status filter is ignored when a mode is given too.",
    requirement: "FILTER-SOUND",
    row: 45,
    level: "MUST",
    operations: ["GET /v1/payment-codes"],
    hooks: {
      matches: (matches, ctx, { parameter }) =>
        matches || (parameter === "status" && Boolean(ctx.query.get("mode")?.[0])),
    },
  },
];
