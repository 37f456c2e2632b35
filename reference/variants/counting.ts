import { isAt } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { OperationName } from "../operations.ts";
import type { Problem } from "../problems.ts";
import type { Variant } from "./variant.ts";

type Count = (text: string) => number;

const LIMITS: readonly (readonly [OperationName, string, number])[] = [
  ["POST /v1/financial-accounts", "name", 100],
  ["POST /v1/financial-accounts", "reference", 64],
  ["POST /v1/financial-accounts", "description", 150],
  ["PATCH /payment-codes/{id}", "name", 100],
  ["POST /webhooks", "name", 100],
  ["PATCH /webhooks/{id}", "name", 100],
];

function counted(count: Count): Hooks {
  return {
    problems: (problems, ctx, stage) => {
      if (stage !== "body") return problems;
      const limits = LIMITS.filter(([operation]) => isAt(ctx, [operation]));
      const others = problems.filter(({ at, rule }) => {
        const isCounted = limits.some(([, field]) => at === `body.${field}`);
        return !(rule === "maxLength" && isCounted);
      });
      const tooLong = limits.flatMap(([, field, most]): Problem[] => {
        const value = ctx.body[field];
        if (typeof value !== "string" || count(value) <= most) return [];
        return [{ at: `body.${field}`, rule: "maxLength", message: `${field} is too long` }];
      });
      return [...others, ...tooLong];
    },
  };
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const open = "Row 71: how characters are counted is left open";

export const countingVariants: readonly Variant[] = [
  {
    name: "counts-utf16-units",
    description: "An emoji counts as two characters.",
    why: `${open}.`,
    hooks: counted((text) => text.length),
  },
  {
    name: "counts-bytes",
    description: "Lengths are counted in bytes of UTF-8.",
    why: `${open}.`,
    hooks: counted((text) => Buffer.byteLength(text)),
  },
  {
    name: "counts-graphemes",
    description: "What a reader sees as one character counts as one.",
    why: `${open}.`,
    hooks: counted((text) => [...graphemes.segment(text)].length),
  },
];
