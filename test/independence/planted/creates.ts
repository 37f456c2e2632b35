/** Bugs of creates and idempotency keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, type Bug, bug, HOOK } from "./bug.ts";

const SCOPED_KEY = "space_id = ? AND operation = ? AND key = ?";

export const createBugs: readonly Bug[] = [
  bug("references-unique-in-all-spaces", "UNIQUE-PER-SPACE", ACCOUNT, [
    "tables",
    "ON accounts (space_id, reference)",
    "ON accounts (reference)",
  ]),
  bug("unique-index-forgotten", "UNIQUE-REJECTED", ACCOUNT, [
    "tables",
    "CREATE UNIQUE INDEX accounts_by_reference",
    "CREATE INDEX accounts_by_reference",
  ]),
  bug("references-unique-by-currency", "UNIQUE-REJECTED", ACCOUNT, [
    "tables",
    "ON accounts (space_id, reference)",
    "ON accounts (space_id, currency, reference)",
  ]),
  bug(
    "reference-looked-up-before-the-insert",
    "UNIQUE-PARALLEL",
    ACCOUNT,
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    [
      "accounts",
      "once(database, request, reply, () =>",
      `{ const taken = database.first("SELECT 1 FROM accounts WHERE space_id = ? AND reference = ?", [request.space, request.body.reference ?? null]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (taken) throw problem(409, "REFERENCE_TAKEN", "taken");
      return once(database, request, reply, () =>`,
    ],
    ["accounts", "request.body)))", "request.body))) }"],
  ),
  bug("no-reference-is-an-empty-one", "UNIQUE-OPTIONAL CREATE-ACCEPTED CREATE-ECHO", ACCOUNT, [
    "accounts",
    "sent.reference ?? null",
    'sent.reference ?? ""',
  ]),
  bug("duplicate-reference-crashes", "NO-SERVER-ERROR", ACCOUNT, [
    "accounts",
    "if (!isDuplicate(error)) throw error;",
    "throw error;",
  ]),
  bug("column-of-140-characters", "CREATE-ECHO CREATE-EDGES", ACCOUNT, [
    "accounts",
    "sent.description ?? null",
    "sent.description?.slice(0, 140) ?? null",
  ]),
  bug("reference-limit-below-by-one", "CREATE-EDGES", ACCOUNT, [
    "accounts",
    "maxLength: 64",
    "maxLength: 63",
  ]),
  bug("description-limit-of-a-column", "CREATE-TOO-LONG", ACCOUNT, [
    "accounts",
    "maxLength: 150",
    "maxLength: 255",
  ]),
  bug("balance-in-the-house-currency", "ACCOUNT-ONE-CURRENCY", ACCOUNT, [
    "accounts",
    "available: { currency: text(row.currency)",
    'available: { currency: "XAF"',
  ]),
  bug("account-metadata-lost", "CREATE-ECHO", ACCOUNT, [
    "accounts",
    "JSON.stringify(sent.metadata ?? {})",
    '"{}"',
  ]),
  bug("reference-in-small-letters", "CREATE-ECHO", ACCOUNT, [
    "accounts",
    "sent.reference ?? null",
    "sent.reference?.toLowerCase() ?? null",
  ]),
  bug("markup-escaped-when-stored", "CREATE-ECHO", ACCOUNT, [
    "accounts",
    "sent.description ?? null",
    'sent.description?.replaceAll("&", "&amp;").replaceAll("<", "&lt;") ?? null',
  ]),
  bug("any-three-letters-are-a-currency", "CREATE-CURRENCY", ACCOUNT, [
    "accounts",
    "if (!supported) throw",
    "if (false) throw",
  ]),
  bug(
    "account-name-not-required",
    "CREATE-REQUIRED",
    ACCOUNT,
    ["accounts", 'required: ["name", "currency"]', 'required: ["currency"]'],
    ["accounts", "sent.name.trim()", '(sent.name ?? "Account").trim()'],
  ),
  bug(
    "keys-of-all-spaces-in-one-table",
    "ISOLATION-KEYS ISOLATION-WRITES KEY-DISTINCT",
    [ACCOUNT, HOOK],
    ["idempotency", `WHERE ${SCOPED_KEY}`, "WHERE ? <> '' AND operation = ? AND key = ?"],
  ),
  bug(
    "keys-without-regard-to-case",
    "KEY-DISTINCT",
    [ACCOUNT, HOOK],
    ["tables", "key TEXT NOT NULL,", "key TEXT NOT NULL COLLATE NOCASE,"],
  ),
  bug(
    "keys-cut-at-32",
    "KEY-DISTINCT",
    [ACCOUNT, HOOK],
    [
      "idempotency",
      'String(request.headers["idempotency-key"])',
      'String(request.headers["idempotency-key"]).slice(0, 32)',
    ],
  ),
  bug(
    "body-of-a-used-key-not-compared",
    "KEY-OTHER-BODY",
    [ACCOUNT, HOOK],
    ["idempotency", "if (used.request_digest !== sent)", "if (false)"],
  ),
  bug(
    "repeated-answers-without-messages",
    "MESSAGES-ARRAY",
    [ACCOUNT, HOOK],
    [
      "idempotency",
      "return JSON.parse(text(used.response_json))",
      "const { messages: _, ...first } = JSON.parse(text(used.response_json)); if (first) return first; else return {}",
    ],
  ),
  bug("webhooks-created-without-key", "KEY-REPLAY", HOOK, [
    "webhooks",
    "once(database, request, reply, () => {",
    "database.transaction(() => {",
  ]),
  bug(
    "key-not-required",
    "KEY-MISSING",
    [ACCOUNT, HOOK],
    ["http", '...(key ? ["idempotency-key"] : [])', "...[]"],
  ),
  bug(
    "key-looked-up-before-the-work",
    "KEY-PARALLEL",
    [ACCOUNT, HOOK],
    ["idempotency", "export function once(", "export async function once("],
    [
      "idempotency",
      "return database.transaction(() => {",
      `const seen = database.first("SELECT 1 FROM idempotency_keys WHERE ${SCOPED_KEY}", [request.space, operation, key]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return database.transaction(() => {`,
    ],
    ["idempotency", "if (used) {", "if (used && seen) {"],
    ["idempotency", 'database.insert("idempotency_keys"', 'if (!used) database.insert("idempotency_keys"'],
  ),
];
