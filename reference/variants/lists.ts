import { isAt, PAGED } from "../hook-tools.ts";
import type { Variant } from "./variant.ts";

/** Variants of lists and cursors. */
export const listVariants: readonly Variant[] = [
  {
    name: "oldest-first",
    description: "Lists are in order of creation.",
    hooks: { members: (records, ctx) => (isAt(ctx, PAGED) ? records.toReversed() : records) },
  },
  {
    name: "empty-last-page",
    description: "The last full page still has a next, which leads to an empty page.",
    hooks: {
      cursorText: (text, ctx, { items, window }) => {
        const last = items[window.end - 1];
        const full = window.end - window.start === Number(ctx.query.get("limit")?.[0] ?? 10);
        return text ?? (isAt(ctx, ["GET /webhooks"]) && full && last ? last.id : null);
      },
    },
  },
  {
    name: "created-webhooks-listed-late",
    description: "A new webhook is in the list only after a moment.",
    hooks: {
      members: (records, ctx, kind) => {
        const now = ctx.service.now().getTime();
        return kind === "webhook" ? records.filter(({ writtenAt }) => now - writtenAt >= 150) : records;
      },
    },
  },
];
