import { PAGED } from "../../hook-tools.ts";
import type { Problem } from "../../problems.ts";
import { CODE_READ, CODES, WEBHOOKS } from "../../read-hook-tools.ts";
import { crashInstead } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

function isPathId({ at }: Problem): boolean {
  return at.startsWith("path.");
}

/** Defects that answer a bad request with a server error (row 1). */
export const serverErrorDefects: readonly Defect[] = [
  {
    name: "malformed-json-is-500",
    description: "A malformed body sent to a webhook operation is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["CREATE-MALFORMED", "UPDATE-MALFORMED"],
    row: 1,
    level: "MUST",
    operations: ["POST /webhooks", "PATCH /webhooks/{id}"],
    hooks: crashInstead(["POST /webhooks", "PATCH /webhooks/{id}"], ({ rule }) => rule === "json"),
  },
  {
    name: "body-that-is-no-object-is-500",
    description: "A body that is JSON but no object, sent to update a payment code, is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["UPDATE-NOT-OBJECT"],
    row: 1,
    level: "MUST",
    operations: ["PATCH /payment-codes/{id}"],
    hooks: crashInstead(["PATCH /payment-codes/{id}"], ({ rule }) => rule === "object"),
  },
  {
    name: "limit-that-is-no-number-is-500",
    description: "A limit that is not an integer is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["LIST-LIMIT-REJECTED"],
    row: 1,
    level: "MUST",
    operations: PAGED,
    hooks: crashInstead(PAGED, ({ at, rule }) => at === "query.limit" && rule === "type"),
  },
  {
    name: "quote-in-an-id-is-500",
    description: "An id of a payment code or payout that holds a quote is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["READ-UNKNOWN"],
    row: 1,
    level: "MUST",
    operations: ["GET /payment-codes/{id}", "GET /payouts/{id}"],
    hooks: crashInstead(
      [...CODE_READ, "GET /payouts/{id}"],
      (problem, { params }) => isPathId(problem) && (params.id ?? "").includes("'"),
    ),
  },
  {
    name: "long-country-code-is-500",
    description: "An unknown country code of more than 255 characters is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["READ-UNKNOWN"],
    row: 1,
    level: "MUST",
    operations: ["GET /countries/{idOrCode}"],
    hooks: crashInstead(
      ["GET /countries/{idOrCode}"],
      (problem, { params }) => isPathId(problem) && (params.idOrCode ?? "").length > 255,
    ),
  },
  {
    name: "no-authorization-is-500",
    description: "The list of momos answers 500 when there is no Authorization header.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["AUTH-MISSING"],
    row: 1,
    level: "MUST",
    operations: ["GET /momos"],
    hooks: crashInstead(
      ["GET /momos"],
      ({ at }, { request }) => at === "header.Authorization" && request.headers.authorization === undefined,
    ),
  },
  {
    name: "unknown-version-is-500",
    description: "The list of webhooks answers 500 under a version that does not exist.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["VERSION-UNKNOWN"],
    row: 1,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: crashInstead(WEBHOOKS, ({ at }) => at === "header.Service-Version"),
  },
  {
    name: "limit-beyond-64-bits-is-500",
    description: "A limit that 64 bits cannot hold is answered with 500.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["LIST-LIMIT-REJECTED"],
    row: 1,
    level: "MUST",
    operations: CODES,
    hooks: crashInstead(
      CODES,
      ({ at }, ctx) => at === "query.limit" && Number(ctx.query.get("limit")?.[0]) > 2 ** 63,
    ),
  },
];
