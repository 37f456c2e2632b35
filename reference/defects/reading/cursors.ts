import { encodeCursor } from "../../cursors.ts";
import { isAt, moveLimit, showEnvelope, showPagination } from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import { asked, CODES, listOf, moveStart, OTPS, WEBHOOKS } from "../../read-hook-tools.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const AFTER = "query.after";

function pageSize(limit: string): number {
  return Number(limit || 10);
}

/** Defects of cursors: their form, where they lead, where they end (rows 33 to 35). */
export const cursorDefects: readonly Defect[] = [
  {
    name: "next-empty-at-the-end",
    description: "next is an empty text on the last page of USSD OTP sessions.",
    requirement: "CURSOR-FORM",
    alsoBreaks: ["CURSOR-END"],
    row: 33,
    level: "MUST",
    operations: OTPS,
    hooks: showPagination(OTPS, (pagination) => ({ ...pagination, next: pagination.next ?? "" })),
  },
  {
    name: "webhook-next-longer-than-after-may-be",
    description: "next of the list of webhooks is filled up to 101 characters.",
    requirement: "CURSOR-FORM",
    row: 33,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: together(
      moveLimit(WEBHOOKS, { at: AFTER, rule: "maxLength" }, (limit) => limit + 1),
      {
        cursorText: (text, ctx) => (text !== null && isAt(ctx, WEBHOOKS) ? text.padEnd(101, "=") : text),
        cursorStart: (start, ctx, { text, items }) => {
          if (!isAt(ctx, WEBHOOKS) || text.length !== 101) return start;
          const index = items.findIndex(({ id }) => id.padEnd(101, "=") === text);
          return index < 0 ? start : index + 1;
        },
      },
    ),
  },
  {
    name: "next-encoded-once-too-often",
    description: "next of the list of USSD OTP sessions is percent-encoded already.",
    requirement: "CURSOR-ACCEPTED",
    row: 33,
    level: "MUST",
    operations: OTPS,
    hooks: {
      cursorText: (text, ctx) => (text !== null && isAt(ctx, OTPS) ? `${text}%3D` : text),
      request: (request) =>
        request.path.endsWith("/v1/ussd-otps")
          ? { ...request, query: request.query.replace(/(^|&)(after=[^&]*)%3D(?=&|$)/i, "$1$2") }
          : request,
    },
  },
  {
    name: "cursor-refused-under-a-filter",
    description: "after is refused beside a status filter.",
    requirement: "CURSOR-ACCEPTED",
    alsoBreaks: ["CURSOR-FILTERED"],
    row: 33,
    level: "MUST",
    operations: CODES,
    hooks: {
      cursorStart: (start, ctx) => (isAt(ctx, CODES) && asked(ctx, "status") ? null : start),
    },
  },
  {
    name: "last-webhook-page-leads-to-the-first",
    description: "next of the last page of webhooks leads back to the beginning of the list.",
    requirement: "CURSOR-END",
    alsoBreaks: ["CURSOR-ONCE"],
    row: 33,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      cursorText: (text, ctx, { items, window }) =>
        text ?? (isAt(ctx, WEBHOOKS) && window.start > 0 ? (items[0]?.id ?? null) : null),
    },
  },
  {
    name: "endless-empty-pages",
    description: "The last page of USSD OTP sessions, and each empty one behind it, has a next.",
    requirement: "CURSOR-END",
    row: 33,
    level: "MUST",
    operations: OTPS,
    hooks: {
      cursorText: (text, ctx, { items }) => {
        const last = items.at(-1);
        return text ?? (isAt(ctx, OTPS) && last ? encodeCursor(ctx, listOf(ctx), last) : null);
      },
    },
  },
  {
    name: "second-page-repeats-last-item",
    description: "A page behind a cursor starts with the last item of the page before.",
    requirement: "CURSOR-ONCE",
    alsoBreaks: ["CURSOR-END", "LIST-IDS-UNIQUE"],
    row: 34,
    level: "MUST",
    operations: OTPS,
    hooks: moveStart(OTPS, (start) => start - 1),
  },
  {
    name: "item-doubled-at-every-twentieth-place",
    description: "A page of payment codes that begins at place 20, 40, ... repeats the item before it.",
    requirement: "CURSOR-ONCE",
    alsoBreaks: ["LIST-IDS-UNIQUE"],
    row: 34,
    level: "MUST",
    operations: CODES,
    hooks: moveStart(CODES, (start, ctx) =>
      start > 0 && start % 20 === 0 && asked(ctx, "limit") !== "1" ? start - 1 : start,
    ),
  },
  {
    name: "item-skipped-at-the-page-border",
    description: "A page of USSD OTP sessions behind a cursor leaves out the item at the border.",
    requirement: "CURSOR-COMPLETE",
    row: 34,
    level: "MUST",
    operations: OTPS,
    hooks: moveStart(OTPS, (start) => start + 1),
  },
  {
    name: "short-last-page-never-announced",
    description: "next is null when the following page of payment codes would not be full.",
    requirement: "CURSOR-COMPLETE",
    alsoBreaks: ["CURSOR-END", "CURSOR-FILTERED"],
    row: 34,
    level: "MUST",
    operations: CODES,
    hooks: {
      cursorText: (text, ctx, { items, window }) =>
        isAt(ctx, CODES) && window.end + pageSize(asked(ctx, "limit")) > items.length ? null : text,
    },
  },
  {
    name: "list-ends-after-five-pages",
    description: "The fifth page of payment codes has no next.",
    requirement: "CURSOR-COMPLETE",
    alsoBreaks: ["CURSOR-END", "CURSOR-FILTERED"],
    row: 34,
    level: "MUST",
    operations: CODES,
    hooks: {
      cursorText: (text, ctx, { window }) =>
        isAt(ctx, CODES) && window.start >= 4 * pageSize(asked(ctx, "limit")) ? null : text,
    },
  },
  {
    name: "large-pages-without-the-newest",
    description: "With a limit above 40, the newest USSD OTP session is not listed.",
    requirement: "CURSOR-COMPLETE",
    row: 34,
    level: "MUST",
    operations: OTPS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, OTPS) && Number(asked(ctx, "limit")) > 40 ? records.slice(1) : records,
    },
  },
  {
    name: "filter-lost-on-the-second-page",
    description: "Pages of payment codes behind a cursor are not filtered by status.",
    requirement: "CURSOR-FILTERED",
    alsoBreaks: ["FILTER-SOUND"],
    row: 34,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, ctx, { parameter }) => matches || (parameter === "status" && ctx.query.has("after")),
    },
  },
  {
    name: "filtered-page-skips-an-item",
    description: "A page of filtered payment codes behind a cursor leaves out its first item.",
    requirement: "CURSOR-FILTERED",
    alsoBreaks: ["FILTER-COMPLETE"],
    row: 34,
    level: "MUST",
    operations: CODES,
    hooks: moveStart(CODES, (start, ctx) => (asked(ctx, "mode") || asked(ctx, "status") ? start + 1 : start)),
  },
  {
    name: "pages-cut-before-the-filter",
    description: "Pages of payment codes are cut from the whole list and filtered only then.",
    requirement: "LIST-FULL-PAGES",
    row: 35,
    level: "SHOULD",
    operations: CODES,
    hooks: {
      matches: (matches, ctx) => matches || isAt(ctx, CODES),
      ...showEnvelope(CODES, (body, ctx) => {
        const { result, pagination } = body;
        if (!Array.isArray(result) || !isObject(pagination)) return body;
        const wanted = {
          ussdCode: asked(ctx, "ussd_code"),
          mode: asked(ctx, "mode"),
          status: asked(ctx, "status"),
        };
        const kept = result.filter(
          (item) =>
            isObject(item) &&
            Object.entries(wanted).every(([field, value]) => value === "" || item[field] === value),
        );
        return { ...body, result: kept, pagination: { ...pagination, count: kept.length } };
      }),
    },
  },
];
