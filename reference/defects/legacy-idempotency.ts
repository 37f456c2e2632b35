import { setTimeout as wait } from "node:timers/promises";
import { CREATES, isAt } from "../hook-tools.ts";
import type { LegacyDefect as Defect } from "./legacy.ts";

/** Defects of idempotency keys and of uniqueness (rows 64 to 68). */
export const idempotencyDefects: readonly Defect[] = [
  {
    name: "key-remembered-too-late",
    description: "A key is remembered only after the resource was made: simultaneous calls make two.",
    requirement: "KEY-PARALLEL",
    row: 66,
    level: "MUST",
    operations: CREATES,
    hooks: {
      keyRemembered: (when, ctx) => (isAt(ctx, CREATES) ? "after-write" : when),
      pause: async (point, ctx) => {
        if (point === "checked" && isAt(ctx, CREATES)) await wait(25);
      },
    },
  },
  {
    name: "key-case-insensitive",
    description: "Keys that differ only in the case of letters are taken for the same key.",
    requirement: "KEY-DISTINCT",
    row: 68,
    level: "MUST",
    operations: CREATES,
    hooks: { keyIndex: (index) => index.toLowerCase() },
  },
  {
    name: "reference-checked-too-early",
    description: "Two simultaneous calls with the same reference both make a financial account.",
    requirement: "UNIQUE-PARALLEL",
    row: 64,
    level: "MUST",
    operations: ["POST /v1/financial-accounts"],
    hooks: {
      recheck: () => false,
      pause: async (point, ctx) => {
        if (point === "checked" && isAt(ctx, ["POST /v1/financial-accounts"])) await wait(25);
      },
    },
  },
];
