import { EVERYWHERE, isAt, NAMED_ONLY, overlook, refuse, SHOWN, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { CODES, OTPS, PAYOUT_SHOWN, REFERENCE, WEBHOOK_SHOWN } from "../../read-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

/** Lets calls pass that have no Authorization header; a header that is there is checked. */
function open(where: Where): Hooks {
  return {
    problems: (problems, ctx, stage) =>
      stage === "auth" && isAt(ctx, where) && !ctx.request.headers.authorization ? [] : problems,
  };
}

/** Lets calls pass whose bearer token is empty. */
function openToEmpty(where: Where): Hooks {
  return {
    problems: (problems, ctx, stage) =>
      stage === "auth" && isAt(ctx, where) && ctx.request.headers.authorization
        ? problems.filter(({ rule }) => rule !== "required")
        : problems,
  };
}

/** Takes a token for a known one when the comparison holds. */
function compareTokens(where: Where, same: (sent: string, known: string) => boolean): Hooks {
  return {
    credentials: (credentials, ctx) => {
      const known = [...ctx.service.tokens.keys()].find((token) => same(credentials.token, token));
      return isAt(ctx, where) && known !== undefined ? { ...credentials, token: known } : credentials;
    },
  };
}

const NAMED_CREATES = NAMED_ONLY.filter((name) => name.startsWith("POST"));

/** Defects of authentication in reads and in operations that are only named (rows 20 and 21). */
export const tokenDefects: readonly Defect[] = [
  {
    name: "reference-data-is-open",
    description: "Banks, momos and countries are shown without Authorization.",
    requirement: "AUTH-MISSING",
    row: 20,
    level: "MUST",
    operations: REFERENCE,
    hooks: open(REFERENCE),
  },
  {
    name: "otp-list-is-open",
    description: "USSD OTP sessions are listed without Authorization.",
    requirement: "AUTH-MISSING",
    row: 20,
    level: "MUST",
    operations: OTPS,
    hooks: open(OTPS),
  },
  {
    name: "webhook-update-is-open",
    description: "A webhook is updated without Authorization.",
    requirement: "AUTH-MISSING",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: ["PATCH /webhooks/{id}"],
    hooks: open(["PATCH /webhooks/{id}"]),
  },
  {
    name: "receipt-is-open",
    description: "A receipt is shown without Authorization, as its address is thought to be secret.",
    requirement: "AUTH-MISSING",
    row: 20,
    level: "MUST",
    operations: ["GET /v1/receipts/{orderNumber}"],
    hooks: open(["GET /v1/receipts/{orderNumber}"]),
  },
  {
    name: "code-list-takes-any-token",
    description: "Payment codes are listed for any bearer token.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN"],
    row: 20,
    level: "MUST",
    operations: CODES,
    hooks: overlook(CODES, { stage: "auth", rule: "token" }),
  },
  {
    name: "provider-kyc-takes-any-token",
    description: "The KYC record of a provider is shown for any bearer token.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN"],
    row: 20,
    level: "MUST",
    operations: ["GET /v1/provider-kyc/{providerId}"],
    hooks: overlook(["GET /v1/provider-kyc/{providerId}"], { stage: "auth", rule: "token" }),
  },
  {
    name: "account-create-takes-any-token",
    description: "A financial account is created for any bearer token.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN", "AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: ["POST /v1/financial-accounts"],
    hooks: overlook(["POST /v1/financial-accounts"], { stage: "auth", rule: "token" }),
  },
  {
    name: "token-in-any-casing",
    description: "Tokens are compared without regard to the case of letters.",
    requirement: "AUTH-ALTERED-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: EVERYWHERE,
    hooks: compareTokens(EVERYWHERE, (sent, known) => sent.toLowerCase() === known.toLowerCase()),
  },
  {
    name: "token-by-its-beginning",
    description: "The webhook operations accept a token of which the end is missing.",
    requirement: "AUTH-ALTERED-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: WEBHOOK_SHOWN,
    hooks: compareTokens(WEBHOOK_SHOWN, (sent, known) => sent.length >= 8 && known.startsWith(sent)),
  },
  {
    name: "token-with-anything-behind",
    description: "Payout and reference-data reads accept a token with something appended.",
    requirement: "AUTH-ALTERED-TOKEN",
    row: 20,
    level: "MUST",
    operations: ["GET /payouts/{id}", ...REFERENCE],
    hooks: compareTokens(["GET /payouts/{id}", ...REFERENCE], (sent, known) => sent.startsWith(known)),
  },
  {
    name: "payout-takes-empty-token",
    description: "A payout is shown and updated for an empty bearer token.",
    requirement: "AUTH-EMPTY-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: PAYOUT_SHOWN,
    hooks: openToEmpty(PAYOUT_SHOWN),
  },
  {
    name: "named-creates-take-empty-token",
    description: "The creating calls that are only named act for an empty bearer token.",
    requirement: "AUTH-EMPTY-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: NAMED_CREATES,
    hooks: openToEmpty(NAMED_CREATES),
  },
  {
    name: "scheme-not-looked-at",
    description: "A known token is accepted under any scheme, Basic included.",
    requirement: "AUTH-OTHER-SCHEME",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "MUST",
    operations: EVERYWHERE,
    hooks: {
      credentials: (credentials) =>
        credentials.token === "" ? credentials : { ...credentials, scheme: "Bearer" },
    },
  },
  {
    name: "basic-left-to-another-layer",
    description: "Anything under another scheme than Bearer may list webhooks and read payment codes.",
    requirement: "AUTH-OTHER-SCHEME",
    alsoBreaks: ["AUTH-BARE-TOKEN"],
    row: 20,
    level: "MUST",
    operations: ["GET /webhooks", "GET /payment-codes/{id}"],
    hooks: overlook(["GET /webhooks", "GET /payment-codes/{id}"], { stage: "auth", rule: "scheme" }),
  },
  {
    name: "token-without-scheme",
    description: "A token is accepted without the name of a scheme.",
    requirement: "AUTH-BARE-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    row: 20,
    level: "SHOULD",
    operations: SHOWN,
    hooks: {
      credentials: (credentials, ctx) =>
        credentials.token === "" && isAt(ctx, SHOWN)
          ? { scheme: "Bearer", token: ctx.service.tokens.has(credentials.scheme) ? credentials.scheme : "" }
          : credentials,
    },
  },
  {
    name: "scheme-name-in-one-casing-only",
    description: "Bearer is accepted in just that casing.",
    requirement: "AUTH-SCHEME-CASE",
    row: 21,
    level: "SHOULD",
    operations: SHOWN,
    hooks: refuse(
      SHOWN,
      "auth",
      { at: "header.Authorization", rule: "scheme", message: "the authentication scheme is not Bearer" },
      ({ request }) =>
        /^bearer /i.test(request.headers.authorization ?? "") &&
        !request.headers.authorization?.startsWith("Bearer "),
    ),
  },
];
