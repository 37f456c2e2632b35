import { isAt, moveLimit, overlook, PAGED, refuse } from "../../hook-tools.ts";
import { asked, CODES, OTPS, WEBHOOKS } from "../../read-hook-tools.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const LIMIT = "query.limit";

/** Defects of page sizes and of the order of lists (rows 31, 32, 35, 36). */
export const listDefects: readonly Defect[] = [
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
      { at: LIMIT, rule: "maximum", message: "limit is above 49" },
      (ctx) => asked(ctx, "limit") === "50",
    ),
  },
  {
    name: "limit-1-refused",
    description: "The lowest allowed limit is refused for webhooks.",
    requirement: "LIST-LIMIT-ACCEPTED",
    row: 31,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: moveLimit(WEBHOOKS, { at: LIMIT, rule: "minimum" }, () => 2),
  },
  {
    name: "limit-1-gives-two",
    description: "limit=1 gives two payment codes.",
    requirement: "LIST-LIMIT-RESPECTED",
    row: 31,
    level: "MUST",
    operations: CODES,
    hooks: { pageSize: (size, ctx) => (isAt(ctx, CODES) && size === 1 ? 2 : size) },
  },
  {
    name: "limit-ignored-under-a-filter",
    description: "Pages of filtered payment codes have ten items, whatever the limit.",
    requirement: "LIST-LIMIT-RESPECTED",
    alsoBreaks: ["LIST-FULL-PAGES"],
    row: 31,
    level: "MUST",
    operations: CODES,
    hooks: {
      pageSize: (size, ctx) => (isAt(ctx, CODES) && (asked(ctx, "status") || asked(ctx, "mode")) ? 10 : size),
    },
  },
  {
    name: "limit-ignored-beside-before",
    description: "before gives all the webhooks that precede, whatever the limit.",
    requirement: "LIST-LIMIT-RESPECTED",
    row: 31,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      window: (window, ctx) =>
        isAt(ctx, WEBHOOKS) && asked(ctx, "before") && !asked(ctx, "after")
          ? { ...window, start: 0 }
          : window,
    },
  },
  {
    name: "limit-above-50-honoured",
    description: "A limit of up to 1000 gives that many payment codes.",
    requirement: "LIST-PAGE-MAXIMUM",
    alsoBreaks: ["LIST-LIMIT-REJECTED"],
    row: 31,
    level: "MUST",
    operations: CODES,
    hooks: moveLimit(CODES, { at: LIMIT, rule: "maximum" }, () => 1000),
  },
  {
    name: "limit-0-gives-everything",
    description: "limit=0 gives all payment codes on one page.",
    requirement: "LIST-PAGE-MAXIMUM",
    alsoBreaks: ["LIST-LIMIT-REJECTED"],
    row: 31,
    level: "MUST",
    operations: CODES,
    hooks: together(
      moveLimit(CODES, { at: LIMIT, rule: "minimum" }, () => 0),
      { pageSize: (size, ctx) => (isAt(ctx, CODES) && size === 0 ? Number.MAX_SAFE_INTEGER : size) },
    ),
  },
  {
    name: "default-limit-20",
    description: "Without a limit, a page of USSD OTP sessions has 20 items.",
    requirement: "LIST-LIMIT-DEFAULT",
    row: 32,
    level: "MUST",
    operations: OTPS,
    hooks: moveLimit(OTPS, { at: LIMIT, rule: "default" }, () => 20),
  },
  {
    name: "no-limit-oldest-first",
    description: "Without a limit, webhooks are listed oldest first.",
    requirement: "LIST-LIMIT-DEFAULT",
    alsoBreaks: ["LIST-ORDER", "ITEM-CURSOR-AFTER", "ITEM-CURSOR-BEFORE"],
    row: 32,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, WEBHOOKS) && !ctx.query.has("limit") ? records.toReversed() : records,
    },
  },
  {
    name: "large-pages-in-another-order",
    description: "With a limit above 25, USSD OTP sessions are listed oldest first.",
    requirement: "LIST-ORDER",
    row: 35,
    level: "SHOULD",
    operations: OTPS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, OTPS) && Number(asked(ctx, "limit")) > 25 ? records.toReversed() : records,
    },
  },
  {
    name: "limit-50-gives-49",
    description: "limit=50 gives 49 payment codes and a next.",
    requirement: "LIST-FULL-PAGES",
    row: 35,
    level: "SHOULD",
    operations: CODES,
    hooks: { pageSize: (size, ctx) => (isAt(ctx, CODES) && size === 50 ? 49 : size) },
  },
  {
    name: "limit-above-50-lowered",
    description: "A limit above 50 is taken for 50.",
    requirement: "LIST-LIMIT-REJECTED",
    row: 36,
    level: "SHOULD",
    operations: PAGED,
    hooks: together(overlook(PAGED, { at: LIMIT, rule: "maximum" }), {
      pageSize: (size, ctx) => (isAt(ctx, PAGED) ? Math.min(size, 50) : size),
    }),
  },
  {
    name: "limit-0-is-the-default",
    description: "limit=0 gives ten webhooks.",
    requirement: "LIST-LIMIT-REJECTED",
    row: 36,
    level: "SHOULD",
    operations: WEBHOOKS,
    hooks: {
      ...moveLimit(WEBHOOKS, { at: LIMIT, rule: "minimum" }, () => 0),
      pageSize: (size, ctx) => (isAt(ctx, WEBHOOKS) && size === 0 ? 10 : size),
    },
  },
  {
    name: "limit-read-up-to-the-first-letter",
    description: "limit=10.5 and limit=10abc are read as 10 for payment codes.",
    requirement: "LIST-LIMIT-REJECTED",
    row: 36,
    level: "SHOULD",
    operations: CODES,
    hooks: {
      problems: (problems, ctx) =>
        isAt(ctx, CODES) && Number.parseInt(asked(ctx, "limit"), 10) > 0
          ? problems.filter(({ at, rule }) => at !== LIMIT || rule !== "type")
          : problems,
      pageSize: (size, ctx, sent) => {
        const read = Number.parseInt(sent ?? "", 10);
        return isAt(ctx, CODES) && read > 0 && read <= 50 ? read : size;
      },
    },
  },
];
