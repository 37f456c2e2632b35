import { showField } from "../hook-tools.ts";
import type { Defect } from "./defect.ts";

/** Defects of versions (rows 90 to 92). */
export const versionDefects: readonly Defect[] = [
  {
    name: "newer-version-without-country-currencies",
    description: "Version caph.2025-08-23 no longer shows supportedCurrencies of a single country.",
    requirement: "VERSION-FIELDS",
    row: 91,
    level: "MUST",
    operations: ["GET /countries/{idOrCode}"],
    hooks: showField(["GET /countries/{idOrCode}"], "supportedCurrencies", (value, _item, ctx) =>
      ctx.version === "caph.2025-08-23" ? undefined : value,
    ),
  },
];
