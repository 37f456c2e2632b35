import { isAt, overlook, PAGED } from "../../hook-tools.ts";
import { asked, CODES, markedCursors, OTPS, WEBHOOKS } from "../../read-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const AFTER = "query.after";

function pageSize(limit: string): number {
  return Number(limit || 10);
}

/** Defects of cursors that are used again, too long, or of no list (rows 35 and 36). */
export const cursorUseDefects: readonly Defect[] = [
  {
    name: "cursor-works-once",
    description: "A cursor of the list of USSD OTP sessions is refused when it is used again.",
    requirement: "CURSOR-REPEATABLE",
    alsoBreaks: ["CURSOR-ACCEPTED"],
    row: 35,
    level: "SHOULD",
    operations: OTPS,
    hooks: () => {
      let issued = 0;
      const used = new Set<string>();
      const mark = () => String(++issued);
      return markedCursors(OTPS, mark, (place, _ctx, text) => {
        if (used.has(text)) return null;
        used.add(text);
        return place;
      });
    },
  },
  {
    name: "cursor-moves-on",
    description: "A cursor of the list of payment codes gives the page after when it is used again.",
    requirement: "CURSOR-REPEATABLE",
    row: 35,
    level: "SHOULD",
    operations: CODES,
    hooks: () => {
      let issued = 0;
      const uses = new Map<string, number>();
      const mark = () => String(++issued);
      return markedCursors(CODES, mark, (place, ctx, text) => {
        const before = uses.get(text) ?? 0;
        uses.set(text, before + 1);
        return place === null ? null : place + before * pageSize(asked(ctx, "limit"));
      });
    },
  },
  {
    name: "over-long-cursor-ignored",
    description: "A cursor of more than 2000 characters gives the first page.",
    requirement: "CURSOR-TOO-LONG",
    row: 36,
    level: "SHOULD",
    operations: [...OTPS, ...CODES],
    hooks: {
      problems: (problems, ctx) =>
        isAt(ctx, [...OTPS, ...CODES]) && asked(ctx, "after").length > 2000
          ? problems.filter(({ at }) => at !== AFTER)
          : problems,
    },
  },
  {
    name: "over-long-webhook-cursors-ignored",
    description: "after and before of more than 100 characters give the first page of webhooks.",
    requirement: "CURSOR-TOO-LONG",
    row: 36,
    level: "SHOULD",
    operations: WEBHOOKS,
    hooks: {
      problems: (problems, ctx) =>
        isAt(ctx, WEBHOOKS) && (asked(ctx, "after").length > 100 || asked(ctx, "before").length > 100)
          ? problems.filter(({ at }) => at !== AFTER && at !== "query.before")
          : problems,
    },
  },
  {
    name: "unknown-cursor-starts-over",
    description: "A cursor that was never issued gives the first page.",
    requirement: "CURSOR-UNKNOWN",
    row: 36,
    level: "SHOULD",
    operations: PAGED,
    hooks: overlook(PAGED, { at: AFTER, rule: "cursor" }),
  },
  {
    name: "unknown-webhook-cursor-is-the-end",
    description: "after with an id that no webhook has gives an empty page.",
    requirement: "CURSOR-UNKNOWN",
    row: 36,
    level: "SHOULD",
    operations: WEBHOOKS,
    hooks: {
      cursorStart: (start, ctx, { items, parameter }) =>
        start === null && parameter === "after" && isAt(ctx, WEBHOOKS) ? items.length : start,
    },
  },
];
