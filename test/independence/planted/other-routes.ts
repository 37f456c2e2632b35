/** Bugs of the other routes, and of code that all routes share. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, type Bug, bug, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";

/** Operations at which depth quick may find a bug that all operations have. */
const EVERYWHERE = [
  ...[CODES, "PATCH /payment-codes/{id}", "GET /payouts/{id}", "PATCH /payouts/{id}", "GET /banks"],
  ...["GET /momos/{idOrCode}", "GET /countries/{idOrCode}", "GET /v1/financial-accounts"],
];

export const otherBugs: readonly Bug[] = [
  bug(
    "payout-of-any-space",
    "ISOLATION-READS ISOLATION-WRITES",
    ["GET /payouts/{id}", "PATCH /payouts/{id}"],
    [
      "payouts",
      "SELECT * FROM payouts WHERE space_id = ? AND id = ?",
      "SELECT * FROM payouts WHERE ? <> '' AND id = ?",
    ],
  ),
  bug(
    "payout-metadata-shown-as-text",
    "PAYOUT-FIELDS",
    ["GET /payouts/{id}", "PATCH /payouts/{id}"],
    ["payouts", "metadata: json(row.metadata_json, {}),", "metadata: text(row.metadata_json),"],
  ),
  bug("payout-update-loses-charges", "UPDATE-KEEPS-REST PAYOUT-EXPECTED", "PATCH /payouts/{id}", [
    "payouts",
    "{ metadata_json }",
    '{ metadata_json, charges_json: "[]" }',
  ]),
  bug("session-metadata-in-numbers", "OTP-METADATA-VALUES OTP-FIELDS", OTPS, [
    "seed",
    "{ session: `s${n}` }",
    "{ session: n }",
  ]),
  bug(
    "country-is-no-filter",
    "FILTER-SOUND",
    ["GET /banks", "GET /momos"],
    ["reference-data", "WHERE kind = ? AND country = ? ORDER", "WHERE kind = ? AND ? <> '' ORDER"],
  ),
  bug(
    "country-of-any-length",
    "PARAMETER-INVALID",
    ["GET /banks", "GET /momos"],
    ["reference-data", "minLength: 2, maxLength: 2", "minLength: 1"],
  ),
  bug(
    "country-not-required",
    "PARAMETER-REQUIRED",
    ["GET /banks", "GET /momos"],
    [
      "reference-data",
      'required: ["country"], properties: { country }',
      'properties: { country: { ...country, default: "CM" } }',
    ],
  ),
  bug(
    "providers-by-code-only",
    "READ-ACCEPTED READ-MATCHES-LIST",
    ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}"],
    [
      "reference-data",
      "WHERE kind = ? AND (id = ? OR code = ?)",
      "WHERE kind = ? AND (code = ? OR code = ?)",
    ],
  ),
  bug(
    "banks-found-among-momos",
    "READ-UNKNOWN",
    ["GET /banks/{idOrCode}", "GET /momos/{idOrCode}"],
    ["reference-data", "WHERE kind = ? AND (id = ? OR code = ?)", "WHERE ? <> '' AND (id = ? OR code = ?)"],
  ),
  bug(
    "two-digits-everywhere",
    "COUNTRY-UNIT-LENGTH",
    ["GET /countries", "GET /countries/{idOrCode}"],
    ["reference-data", "unitLength: number(row.unit_length)", "unitLength: 2"],
  ),
  bug("any-scheme-is-bearer", "AUTH-OTHER-SCHEME", EVERYWHERE, [
    "http",
    "/^Bearer +(\\S+)$/i",
    "/^\\S+ +(\\S+)$/i",
  ]),
  bug(
    "payouts-without-token",
    "AUTH-MISSING AUTH-UNKNOWN-TOKEN",
    ["GET /payouts/{id}", "PATCH /payouts/{id}"],
    [
      "http",
      "const [, token] =",
      'if (request.url.startsWith("/payouts")) { request.tenant = "harbour"; return; }\n    const [, token] =',
    ],
  ),
  bug(
    "space-of-another-tenant",
    "SPACE-UNKNOWN",
    [CODES, OTPS, HOOKS],
    ["http", "if (!own) throw", "if (false) throw"],
  ),
  bug(
    "bodies-coerced",
    "CREATE-TYPE UPDATE-TYPE",
    [ACCOUNT, HOOK, HOOK_UPDATE],
    ["http", 'httpPart === "body" ? bodies : texts', "texts"],
  ),
  bug("created-with-201", "STATUS-200", ACCOUNT, [
    "accounts",
    "once(database, request, reply,",
    "reply.code(201) && once(database, request, reply,",
  ]),
  bug(
    "lists-without-messages",
    "MESSAGES-ARRAY",
    [CODES, OTPS, HOOKS],
    [
      "http",
      "  success: true,\n  messages: [],\n  result,\n  pagination",
      "  success: true,\n  result,\n  pagination",
    ],
  ),
  bug("count-of-everything", "LIST-COUNT", HOOKS, [
    "http",
    "count: result.length, ...pagination",
    "count: pagination.total ?? result.length, ...pagination",
  ]),
  bug(
    "any-version-taken",
    "VERSION-UNKNOWN",
    [CODES, OTPS, HOOKS],
    ["http", "enum: [...VERSIONS, null] };", "};"],
  ),
  bug(
    "older-version-refused",
    "VERSION-ACCEPTED",
    [CODES, OTPS, HOOKS],
    ["http", '["caph.2025-08-23", "caph.2025-06-20"]', '["caph.2025-08-23"]'],
  ),
  bug(
    "malformed-json-crashes",
    "NO-SERVER-ERROR",
    [ACCOUNT, HOOK, HOOK_UPDATE],
    [
      "app",
      "addValidation(app);",
      'app.addContentTypeParser("application/json", { parseAs: "string" }, async (_, body) => JSON.parse(body));\n  addValidation(app);',
    ],
  ),
];
