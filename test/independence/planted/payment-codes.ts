/** Bugs of payment codes. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, bug, CODE, CODE_UPDATE, CODES, HOOKS, OTPS } from "./bug.ts";

export const paymentCodeBugs: readonly Bug[] = [
  bug(
    "pages-overlap-by-one",
    "CURSOR-ONCE",
    [CODES, OTPS],
    ["cursors", "(created_at, id) < (?, ?)", "(created_at, id) <= (?, ?)"],
  ),
  bug("cursor-of-time-alone", "CURSOR-COMPLETE", CODES, [
    "cursors",
    "(created_at, id) < (?, ?)",
    "created_at < ? AND id <> ?",
  ]),
  bug(
    "last-page-lost",
    "CURSOR-COMPLETE",
    [CODES, OTPS],
    [
      "cursors",
      "next: rows.length > limit && last",
      'next: rows.length > limit && last && database.all(`SELECT id FROM ${table} WHERE ${conditions.join(" AND ")}`, values).length > 2 * limit',
    ],
  ),
  bug("filters-lost-behind-a-cursor", "CURSOR-FILTERED FILTER-SOUND", CODES, [
    "payment-codes",
    "mode, status };",
    "mode: query.after ? null : mode, status: query.after ? null : status };",
  ]),
  bug("status-ignored-beside-mode", "FILTER-SOUND", CODES, [
    "payment-codes",
    "mode, status };",
    "mode, status: mode ? null : status };",
  ]),
  bug("mode-is-no-filter", "FILTER-SOUND", CODES, ["payment-codes", "mode, status };", "status };"]),
  bug(
    "dial-codes-compared-by-beginning",
    "FILTER-SOUND",
    CODES,
    [
      "payment-codes",
      "ussd_code: ussd_code || null",
      "ussd_code: ussd_code ? `${ussd_code.slice(0, 8)}` : null",
    ],
    [
      "cursors",
      "conditions.push(`${column} = ?`)",
      "conditions.push(column === 'ussd_code' ? 'substr(ussd_code, 1, 8) = ?' : `${column} = ?`)",
    ],
  ),
  bug("filtered-pages-have-fifty", "LIST-LIMIT-DEFAULT LIST-LIMIT-RESPECTED", CODES, [
    "payment-codes",
    "filters, query);",
    "filters, { ...query, limit: status ? 50 : query.limit });",
  ]),
  bug("cancelled-codes-hidden", "FILTER-COMPLETE LIST-SHOWS-ALL", CODES, [
    "cursors",
    "if (after) {",
    'if (table === "payment_codes" && !filters.status) conditions.push("status <> \'cancelled\'");\n  if (after) {',
  ]),
  bug(
    "page-size-up-to-a-hundred",
    "LIST-PAGE-MAXIMUM LIST-LIMIT-REJECTED",
    [CODES, OTPS, HOOKS],
    ["http", "maximum: 50", "maximum: 100"],
  ),
  bug(
    "default-of-twenty",
    "LIST-LIMIT-DEFAULT",
    [CODES, OTPS, HOOKS],
    ["http", "default: 10", "default: 20"],
  ),
  bug("single-code-cached", "UPDATE-STORED", CODE_UPDATE, [
    "payment-codes",
    "single(detailed(find(space, params.id)))",
    "{ const kept = (globalThis.codes ??= new Map()); const key = space + params.id; const answer = kept.get(key) ?? single(detailed(find(space, params.id))); kept.set(key, answer); return answer; }",
  ]),
  bug("create-time-is-update-time", "UPDATE-IDENTITY", CODE_UPDATE, [
    "payment-codes",
    "{ updated_at: Date.now() }",
    "{ updated_at: Date.now(), created_at: Date.now() }",
  ]),
  bug("time-zones-dropped", "UPDATE-ECHO", CODE_UPDATE, [
    "payment-codes",
    "Date.parse(sent.expireTime)",
    "Date.parse(`${sent.expireTime.slice(0, 19)}Z`)",
  ]),
  bug("cancelling-forgets-the-rest", "CANCEL-TOGETHER", CODE_UPDATE, [
    "payment-codes",
    'change.status = "cancelled";',
    'return { ...change, status: "cancelled" };',
  ]),
  bug("nine-providers-at-most", "UPDATE-EDGES", CODE_UPDATE, [
    "payment-codes",
    "maxItems: 10",
    "maxItems: 9",
  ]),
  bug("first-provider-only", "UPDATE-ECHO", CODE_UPDATE, [
    "payment-codes",
    "(sent.allowedProviders ?? []).map(",
    "(sent.allowedProviders ?? []).slice(0, 1).map(",
  ]),
  bug("any-status-taken", "UPDATE-INVALID", CODE_UPDATE, [
    "payment-codes",
    'enum: ["cancelled", null]',
    'enum: ["pending", "processing", "expired", "completed", "cancelled", null]',
  ]),
  bug("code-metadata-reset-by-update", "UPDATE-KEEPS", CODE_UPDATE, [
    "payment-codes",
    "if (sent.metadata) change.metadata_json = JSON.stringify(sent.metadata);",
    "change.metadata_json = JSON.stringify(sent.metadata ?? {});",
  ]),
  bug("code-name-not-stored", "UPDATE-STORED UPDATE-ECHO", CODE_UPDATE, [
    "payment-codes",
    'if (typeof sent.name === "string") change.name = sent.name;',
    "",
  ]),
  bug(
    "amount-in-minor-units-once-more",
    "SHAPES-AGREE",
    [CODES, CODE],
    [
      "payment-codes",
      "    isActive: flag(row.enabled),",
      "    isActive: flag(row.enabled), amount: money(number(row.amount) * 100, row),",
    ],
  ),
  bug(
    "list-shows-update-as-create-time",
    "SHAPES-AGREE",
    [CODES, CODE],
    [
      "payment-codes",
      "updateTime: time(row.updated_at),",
      "updateTime: time(row.updated_at), createTime: time(row.updated_at),",
    ],
  ),
  bug(
    "older-version-in-camel-case",
    "CODE-LIST-FIELDS VERSION-VALUES",
    CODES,
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: sent }) => {"],
    [
      "payment-codes",
      "rows.map(listed)",
      'rows.map((row) => ({ ...listed(row), ...(sent["service-version"] === "caph.2025-06-20" && { mode: row.mode === "one_time" ? "oneTime" : "recurrent" }) }))',
    ],
  ),
  bug(
    "older-version-without-update-time",
    "CODE-LIST-PRESENT",
    CODES,
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: sent }) => {"],
    [
      "payment-codes",
      "rows.map(listed)",
      'rows.map((row) => ({ ...listed(row), ...(sent["service-version"] === "caph.2025-06-20" && { updateTime: undefined }) }))',
    ],
  ),
  bug(
    "newer-version-drops-owners",
    "VERSION-FIELDS",
    CODES,
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: sent }) => {"],
    [
      "payment-codes",
      "rows.map(listed)",
      'rows.map((row) => ({ ...listed(row), ...(sent["service-version"] === "caph.2025-08-23" && { ownershipGraph: undefined }) }))',
    ],
  ),
];
