import { isAt } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { ACCOUNT, isOlderVersion } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const rejected = { requirement: "UNIQUE-REJECTED", row: 64, level: "MUST", operations: ACCOUNT } as const;
const optional = { requirement: "UNIQUE-OPTIONAL", row: 64, level: "MUST", operations: ACCOUNT } as const;

/** Refuses a reference that is null, or left out, when an account of the space was made without one before. */
function withoutReferenceOnce(isWithout: (reference: unknown) => boolean): () => Hooks {
  return () => {
    const spaces = new Set<string>();
    const message = "another financial account of this space has this reference";
    return {
      problems: (problems, ctx, stage) => {
        const again = stage === "conflict" && isWithout(ctx.body.reference) && spaces.has(ctx.space);
        return again && isAt(ctx, ACCOUNT)
          ? [...problems, { at: "body.reference", rule: "unique", message }]
          : problems;
      },
      written: (ctx) => {
        if (isAt(ctx, ACCOUNT) && isWithout(ctx.body.reference)) spaces.add(ctx.space);
      },
    };
  };
}

/** Defects of the unique reference of financial accounts (row 64). */
export const uniquenessDefects: readonly Defect[] = [
  {
    ...rejected,
    name: "reference-not-checked",
    description: "Financial accounts may share a reference.",
    alsoBreaks: ["UNIQUE-PARALLEL"],
    hooks: { sameReference: () => false },
  },
  {
    ...rejected,
    name: "reference-checked-within-currency",
    description: "Financial accounts of different currencies may share a reference.",
    hooks: { sameReference: (same, ctx, { other }) => same && other.data.currency === ctx.body.currency },
  },
  {
    ...rejected,
    name: "reference-checked-with-name",
    description: "Financial accounts of different names may share a reference.",
    hooks: { sameReference: (same, ctx, { other }) => same && other.data.name === ctx.body.name },
  },
  {
    ...rejected,
    name: "reference-checked-with-latest-only",
    description: "A reference is compared with that of the newest financial account only.",
    hooks: {
      sameReference: (same, ctx, { other }) =>
        same &&
        ctx.service.store.all("financialAccount").find(({ space }) => space === ctx.space)?.id === other.id,
    },
  },
  {
    ...rejected,
    name: "reference-not-checked-under-older-version",
    description: "Under caph.2025-06-20 financial accounts may share a reference.",
    alsoBreaks: ["UNIQUE-PARALLEL"],
    hooks: { sameReference: (same, ctx) => same && !isOlderVersion(ctx) },
  },
  {
    ...optional,
    name: "reference-null-only-once",
    description: "A second financial account whose reference is null is refused.",
    alsoBreaks: ["CREATE-NULL-ACCEPTED"],
    hooks: withoutReferenceOnce((reference) => reference === null),
  },
  {
    ...optional,
    name: "reference-left-out-only-once",
    description: "A second financial account without a reference is refused.",
    alsoBreaks: ["CREATE-ACCEPTED"],
    hooks: withoutReferenceOnce((reference) => reference === undefined),
  },
  {
    name: "reference-unique-in-all-spaces",
    description: "A reference that is taken in one space is refused in every other.",
    requirement: "UNIQUE-PER-SPACE",
    row: 64,
    level: "MUST",
    operations: ACCOUNT,
    hooks: { sameReference: (same, _ctx, { sent, other }) => same || other.data.reference === sent },
  },
];
