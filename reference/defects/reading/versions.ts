import { isAt, refuse, SHOWN, showField, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import {
  CODE_SHOWN,
  CODES,
  leaveOut,
  NEWER,
  OLDER,
  OTPS,
  PAYOUT_SHOWN,
  showAt,
  WEBHOOKS,
} from "../../read-hook-tools.ts";
import { PAYOUT_UPDATE, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const VERSION = "header.Service-Version";

function refuseVersion(where: Where, version: string | undefined): Hooks {
  return refuse(
    where,
    "version",
    { at: VERSION, rule: "enum", message: "this version is not served here" },
    ({ request }) => request.headers["service-version"] === version,
  );
}

/** Lets versions pass that are not allowed. */
function takeVersion(where: Where, taken: (version: string) => boolean = () => true): Hooks {
  return {
    problems: (problems, ctx, stage) =>
      stage === "version" && isAt(ctx, where) && taken(ctx.request.headers["service-version"] ?? "")
        ? []
        : problems,
  };
}

/** Defects of versions (rows 90 to 92). */
export const versionDefects: readonly Defect[] = [
  {
    name: "older-version-refused-on-webhooks",
    description: "The list of webhooks refuses the older version.",
    requirement: "VERSION-ACCEPTED",
    row: 90,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: refuseVersion(WEBHOOKS, OLDER),
  },
  {
    name: "newer-version-refused-on-updates",
    description: "Updating a payout refuses the newer version.",
    requirement: "VERSION-ACCEPTED",
    row: 90,
    level: "MUST",
    operations: PAYOUT_UPDATE,
    hooks: refuseVersion(PAYOUT_UPDATE, NEWER),
  },
  {
    name: "older-version-refused-on-create",
    description: "Creating a webhook refuses the older version.",
    requirement: "VERSION-ACCEPTED",
    row: 90,
    level: "MUST",
    operations: WEBHOOK,
    hooks: refuseVersion(WEBHOOK, OLDER),
  },
  {
    name: "version-required-for-payouts",
    description: "A payout is read only with Service-Version.",
    requirement: "VERSION-ACCEPTED",
    alsoBreaks: ["READ-ACCEPTED"],
    row: 90,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: refuseVersion(["GET /payouts/{id}"], undefined),
  },
  {
    name: "newer-version-without-country-currencies",
    description: "Version caph.2025-08-23 no longer shows supportedCurrencies of a single country.",
    requirement: "VERSION-FIELDS",
    alsoBreaks: ["COUNTRY-PRESENT", "READ-MATCHES-LIST"],
    row: 91,
    level: "MUST",
    operations: ["GET /countries/{idOrCode}"],
    hooks: showField(["GET /countries/{idOrCode}"], "supportedCurrencies", (value, _item, ctx) =>
      ctx.version === NEWER ? undefined : value,
    ),
  },
  {
    name: "newer-version-without-code-reference",
    description: "Version caph.2025-08-23 no longer shows the reference of payment codes in the list.",
    requirement: "VERSION-FIELDS",
    row: 91,
    level: "MUST",
    operations: CODES,
    hooks: leaveOut(CODES, "reference", (_, { ctx }) => ctx.version === NEWER),
  },
  {
    name: "newer-version-without-charge-metadata",
    description: "Version caph.2025-08-23 no longer shows the metadata of a payout's charges.",
    requirement: "VERSION-FIELDS",
    row: 91,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: leaveOut(PAYOUT_SHOWN, "charges/*/metadata", (_, { ctx }) => ctx.version === NEWER),
  },
  {
    name: "newer-version-in-minor-units",
    description: "Version caph.2025-08-23 shows the amount of a payout a hundredfold.",
    requirement: "VERSION-VALUES",
    row: 91,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: showAt(PAYOUT_SHOWN, "amount/value", (value, { ctx }) =>
      ctx.version === NEWER ? Number(value) * 100 : value,
    ),
  },
  {
    name: "newer-version-in-capitals",
    description: "Version caph.2025-08-23 shows the status of a single payment code in capitals.",
    requirement: "VERSION-VALUES",
    alsoBreaks: ["SHAPES-AGREE"],
    row: 91,
    level: "MUST",
    operations: CODE_SHOWN.filter((name) => name.startsWith("GET")),
    hooks: showAt(CODE_SHOWN, "status", (value, { ctx }) =>
      ctx.version === NEWER ? String(value).toUpperCase() : value,
    ),
  },
  {
    name: "newer-version-metadata-null-when-empty",
    description: "Version caph.2025-08-23 shows empty metadata of USSD OTP sessions as null.",
    requirement: "VERSION-VALUES",
    row: 91,
    level: "MUST",
    operations: OTPS,
    hooks: showAt(OTPS, "metadata", (value, { ctx }) =>
      ctx.version === NEWER && JSON.stringify(value) === "{}" ? null : value,
    ),
  },
  {
    name: "newer-version-without-expired-sessions",
    description: "Version caph.2025-08-23 no longer lists expired USSD OTP sessions.",
    requirement: "VERSION-MEMBERS",
    row: 91,
    level: "MUST",
    operations: OTPS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, OTPS) && ctx.version === NEWER
          ? records.filter(({ data }) => data.status !== "expired")
          : records,
    },
  },
  {
    name: "webhooks-of-the-asked-version-only",
    description: "The list of webhooks leaves out those with the apiVersion of another version.",
    requirement: "VERSION-MEMBERS",
    alsoBreaks: ["CREATE-LISTED", "UPDATE-STORED"],
    row: 91,
    level: "MUST",
    operations: WEBHOOKS,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, WEBHOOKS) && ctx.version !== null
          ? records.filter(({ data }) => (data.apiVersion ?? ctx.version) === ctx.version)
          : records,
    },
  },
  {
    name: "newer-version-with-active-banks-only",
    description: "Version caph.2025-08-23 lists only banks that are active.",
    requirement: "VERSION-MEMBERS",
    row: 91,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, ["GET /banks"]) && ctx.version === NEWER
          ? records.filter(({ data }) => JSON.stringify(data.status) === '{"active":true}')
          : records,
    },
  },
  {
    name: "any-version-accepted-for-banks",
    description: "The list of banks takes any Service-Version.",
    requirement: "VERSION-UNKNOWN",
    row: 92,
    level: "SHOULD",
    operations: ["GET /banks"],
    hooks: takeVersion(["GET /banks"]),
  },
  {
    name: "any-version-accepted",
    description: "Service-Version is not checked.",
    requirement: "VERSION-UNKNOWN",
    row: 92,
    level: "SHOULD",
    operations: SHOWN,
    hooks: takeVersion(SHOWN),
  },
  {
    name: "any-day-of-the-version-line",
    description: "Creates accept any version of the caph line, whatever its date.",
    requirement: "VERSION-UNKNOWN",
    row: 92,
    level: "SHOULD",
    operations: ["POST /webhooks", "POST /v1/financial-accounts"],
    hooks: takeVersion(["POST /webhooks", "POST /v1/financial-accounts"], (version) =>
      version.startsWith("caph."),
    ),
  },
];
