import { isAt, moveLimit, overlook, refuse, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import {
  BANK_SHOWN,
  CODE_READ,
  CODES,
  COUNTRY_SHOWN,
  OTPS,
  PAYOUT_SHOWN,
  WEBHOOKS,
} from "../../read-hook-tools.ts";
import { ACCOUNT, together, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const SPACE = "header.Service-Space-Id";

/** Acts on the space that was sent, whatever it is: a new one is empty. */
function asSent(where: Where): Hooks {
  return {
    effectiveSpace: (space, ctx) =>
      isAt(ctx, where) ? (ctx.request.headers["service-space-id"] ?? space) : space,
  };
}

function needSpace(where: Where): Hooks {
  return refuse(
    where,
    "version",
    { at: SPACE, rule: "required", message: "Service-Space-Id is required" },
    ({ request }) => !request.headers["service-space-id"],
  );
}

const OVER_LONG_64: Where = [...OTPS, ...CODES, ...ACCOUNT];
const OVER_LONG_100: Where = [...WEBHOOKS, ...CODE_READ, "GET /payouts/{id}"];

/** Defects of the space header (rows 22 and 23). */
export const spaceDefects: readonly Defect[] = [
  {
    name: "otp-list-space-optional",
    description: "Without Service-Space-Id, the USSD OTP sessions of the token's first space are listed.",
    requirement: "SPACE-MISSING",
    row: 22,
    level: "MUST",
    operations: OTPS,
    hooks: overlook(OTPS, { at: SPACE, rule: "required" }),
  },
  {
    name: "single-read-space-optional",
    description: "Payment codes and payouts are read without Service-Space-Id.",
    requirement: "SPACE-MISSING",
    row: 22,
    level: "MUST",
    operations: ["GET /payment-codes/{id}", "GET /payouts/{id}"],
    hooks: overlook(["GET /payment-codes/{id}", "GET /payouts/{id}"], { at: SPACE, rule: "required" }),
  },
  {
    name: "account-create-space-optional",
    description: "A financial account is created without Service-Space-Id, in the token's first space.",
    requirement: "SPACE-MISSING",
    row: 22,
    level: "MUST",
    operations: ACCOUNT,
    hooks: overlook(ACCOUNT, { at: SPACE, rule: "required" }),
  },
  {
    name: "webhook-list-takes-empty-space",
    description:
      "An empty Service-Space-Id lists the webhooks of the token's first space; a missing one is refused.",
    requirement: "SPACE-MISSING",
    row: 22,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      problems: (problems, ctx) =>
        isAt(ctx, WEBHOOKS) && ctx.request.headers["service-space-id"] === ""
          ? problems.filter(({ at }) => at !== SPACE)
          : problems,
    },
  },
  {
    name: "space-pattern-unchecked",
    description:
      "A Service-Space-Id without spc- is taken for a space that has no webhooks and accounts yet.",
    requirement: "SPACE-PATTERN",
    row: 22,
    level: "MUST",
    operations: [...WEBHOOKS, ...ACCOUNT],
    hooks: together(
      overlook([...WEBHOOKS, ...ACCOUNT], { at: SPACE, rule: "pattern" }),
      asSent([...WEBHOOKS, ...ACCOUNT]),
    ),
  },
  {
    name: "space-pattern-without-its-start",
    description: "spc- may stand anywhere in a Service-Space-Id.",
    requirement: "SPACE-PATTERN",
    row: 22,
    level: "MUST",
    operations: [...OTPS, ...CODES, ...WEBHOOK],
    hooks: together(
      {
        problems: (problems, ctx) =>
          isAt(ctx, [...OTPS, ...CODES, ...WEBHOOK]) &&
          ctx.request.headers["service-space-id"]?.includes("spc-")
            ? problems.filter(({ at, rule }) => at !== SPACE || rule !== "pattern")
            : problems,
      },
      asSent([...OTPS, ...CODES, ...WEBHOOK]),
    ),
  },
  {
    name: "space-in-any-casing",
    description: "A payout is shown and updated under a Service-Space-Id in capitals.",
    requirement: "SPACE-PATTERN",
    row: 22,
    level: "MUST",
    operations: PAYOUT_SHOWN,
    hooks: together(
      {
        problems: (problems, ctx) => {
          const sent = ctx.request.headers["service-space-id"] ?? "";
          return isAt(ctx, PAYOUT_SHOWN) && ctx.service.spaces.has(sent.toLowerCase())
            ? problems.filter(({ at }) => at !== SPACE)
            : problems;
        },
      },
      {
        effectiveSpace: (space, ctx) => {
          const sent = (ctx.request.headers["service-space-id"] ?? "").toLowerCase();
          return isAt(ctx, PAYOUT_SHOWN) && ctx.service.spaces.has(sent) ? sent : space;
        },
      },
    ),
  },
  {
    name: "space-of-65-characters",
    description: "A Service-Space-Id of 65 to 100 characters is taken for a space that is empty.",
    requirement: "SPACE-LENGTH",
    row: 22,
    level: "MUST",
    operations: OVER_LONG_64,
    hooks: together(
      moveLimit(OVER_LONG_64, { at: SPACE, rule: "maxLength" }, () => 100),
      {
        problems: (problems, ctx, stage) => {
          const { length } = ctx.request.headers["service-space-id"] ?? "";
          return stage === "space" && isAt(ctx, OVER_LONG_64) && length > 64
            ? problems.filter(({ rule }) => rule !== "known")
            : problems;
        },
      },
    ),
  },
  {
    name: "over-long-space-is-the-first",
    description: "A Service-Space-Id of more than 100 characters is taken for the token's first space.",
    requirement: "SPACE-LENGTH",
    alsoBreaks: ["ISOLATION-UNKNOWN-SPACE"],
    row: 22,
    level: "MUST",
    operations: OVER_LONG_100,
    hooks: overlook(OVER_LONG_100, { at: SPACE, rule: "maxLength" }),
  },
  {
    name: "banks-need-a-space",
    description: "Banks are refused without Service-Space-Id.",
    requirement: "REFERENCE-WITHOUT-SPACE",
    alsoBreaks: ["READ-ACCEPTED", "PARAMETER-ACCEPTED", "FILTER-NOTHING-FOUND", "VERSION-ACCEPTED"],
    row: 23,
    level: "MUST",
    operations: BANK_SHOWN,
    hooks: needSpace(BANK_SHOWN),
  },
  {
    name: "countries-need-a-space",
    description: "Countries are refused without Service-Space-Id.",
    requirement: "REFERENCE-WITHOUT-SPACE",
    alsoBreaks: ["READ-ACCEPTED", "VERSION-ACCEPTED"],
    row: 23,
    level: "MUST",
    operations: COUNTRY_SHOWN,
    hooks: needSpace(COUNTRY_SHOWN),
  },
];
