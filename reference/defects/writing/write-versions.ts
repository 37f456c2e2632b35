import { refuse } from "../../hook-tools.ts";
import type { Problem } from "../../problems.ts";
import { ACCOUNT, CODE_UPDATE, isOlderVersion, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const accepted = { requirement: "VERSION-ACCEPTED", row: 90, level: "MUST" } as const;
const unsupported: Problem = {
  at: "header.Service-Version",
  rule: "enum",
  message: "this version is not supported here",
};

/** Defects of Service-Version on creates and updates (row 90). */
export const writeVersionDefects: readonly Defect[] = [
  {
    ...accepted,
    name: "older-version-refused-for-accounts",
    description: "Financial accounts are not created under caph.2025-06-20.",
    operations: ACCOUNT,
    hooks: refuse(ACCOUNT, "space", unsupported, isOlderVersion),
  },
  {
    ...accepted,
    name: "webhook-update-needs-a-version",
    description: "A webhook update without Service-Version is refused.",
    operations: WEBHOOK_UPDATE,
    hooks: refuse(WEBHOOK_UPDATE, "space", unsupported, ({ version }) => version === null),
  },
  {
    ...accepted,
    name: "newer-version-refused-for-code-updates",
    description: "Payment codes are not updated under caph.2025-08-23.",
    operations: CODE_UPDATE,
    hooks: refuse(CODE_UPDATE, "space", unsupported, ({ version }) => version === "caph.2025-08-23"),
  },
];
