import { isAt, overlook, refuse, SHOWN, UPDATES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { CODE_SHOWN, MOMO_SHOWN, REFERENCE, spacesOf } from "../../read-hook-tools.ts";
import { ACCOUNT, CODE_UPDATE, together, WEBHOOK, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const SPACE = "header.Service-Space-Id";
const space = { row: 22, level: "MUST" } as const;
const SPACED: Where = SHOWN.filter((name) => !REFERENCE.includes(name));
const BY_ID: Where = SPACED.filter((name) => name.includes("{id}"));
const BY_PATTERN: Where = [...CODE_SHOWN, ...WEBHOOK_UPDATE];
const BY_LENGTH: Where = [...UPDATES, ...WEBHOOK];
const WRITES: Where = [...ACCOUNT, ...CODE_UPDATE, ...WEBHOOK];

/** Acts on the token's first space where the named one does not exist. */
function firstInstead(where: Where): Hooks {
  return together(overlook(where, { stage: "space", rule: "known" }), {
    effectiveSpace: (named, ctx) =>
      isAt(ctx, where) && !ctx.service.spaces.has(named) ? (spacesOf(ctx)[0] ?? named) : named,
  });
}

/** Defects of the space header that several operations share (rows 22 to 25). */
export const wideSpaceDefects: readonly Defect[] = [
  {
    ...space,
    name: "space-optional-everywhere",
    description: "Without Service-Space-Id, every operation acts on the token's first space.",
    requirement: "SPACE-MISSING",
    operations: SPACED,
    hooks: overlook(SPACED, { at: SPACE, rule: "required" }),
  },
  {
    ...space,
    name: "space-of-any-form-ignored",
    description:
      "A space that does not start with spc- is ignored where payment codes and webhooks are named by id.",
    requirement: "SPACE-PATTERN",
    operations: BY_PATTERN,
    hooks: overlook(BY_PATTERN, { at: SPACE, rule: "pattern" }),
  },
  {
    ...space,
    name: "space-of-any-length-ignored",
    description: "A space header that is too long is ignored by updates and when a webhook is created.",
    requirement: "SPACE-LENGTH",
    operations: BY_LENGTH,
    hooks: overlook(BY_LENGTH, { at: SPACE, rule: "maxLength" }),
  },
  {
    name: "momos-need-a-space",
    description: "Mobile-money providers are refused without Service-Space-Id.",
    requirement: "REFERENCE-WITHOUT-SPACE",
    alsoBreaks: ["READ-ACCEPTED", "PARAMETER-ACCEPTED", "FILTER-NOTHING-FOUND", "VERSION-ACCEPTED"],
    row: 23,
    level: "MUST",
    operations: MOMO_SHOWN,
    hooks: refuse(
      MOMO_SHOWN,
      "version",
      { at: SPACE, rule: "required", message: "Service-Space-Id is required" },
      ({ request }) => !request.headers["service-space-id"],
    ),
  },
  {
    name: "unknown-space-writes-to-the-first",
    description:
      "Under a space that does not exist, creates and code updates act on the token's first space.",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    alsoBreaks: ["SPACE-UNKNOWN"],
    row: 24,
    level: "MUST",
    operations: WRITES,
    hooks: firstInstead(WRITES),
  },
  {
    name: "unknown-space-is-the-first",
    description:
      "A space that does not exist is taken for the token's first, where resources are named by id.",
    requirement: "SPACE-UNKNOWN",
    alsoBreaks: ["ISOLATION-UNKNOWN-SPACE"],
    row: 25,
    level: "SHOULD",
    operations: BY_ID,
    hooks: firstInstead(BY_ID),
  },
];
