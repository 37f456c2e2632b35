/** The tables. Times are in milliseconds since 1970. Columns that end in _json contain JSON. */
export const TABLES = `
CREATE TABLE tokens (digest TEXT PRIMARY KEY, tenant TEXT NOT NULL);
CREATE TABLE spaces (id TEXT PRIMARY KEY, tenant TEXT NOT NULL);

CREATE TABLE idempotency_keys (
  space_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  request_digest TEXT NOT NULL,
  response_json TEXT NOT NULL,
  PRIMARY KEY (space_id, operation, key)
);

CREATE TABLE countries (
  id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  currency TEXT NOT NULL, unit TEXT NOT NULL, unit_length INTEGER NOT NULL, supported_json TEXT NOT NULL
);

CREATE TABLE providers (
  id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL, country TEXT NOT NULL,
  active INTEGER NOT NULL, pay_to INTEGER NOT NULL, pay_from INTEGER NOT NULL, verify INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX providers_by_country ON providers (kind, country);

CREATE TABLE accounts (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL, uvan TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  currency TEXT NOT NULL, reference TEXT, description TEXT, available INTEGER NOT NULL DEFAULT 0,
  metadata_json TEXT NOT NULL DEFAULT '{}', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX accounts_by_reference ON accounts (space_id, reference);

CREATE TABLE otps (
  id TEXT PRIMARY KEY, space_id TEXT NOT NULL, status TEXT NOT NULL, dial_code TEXT NOT NULL, phone TEXT NOT NULL,
  message TEXT, metadata_json TEXT, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
);

CREATE TABLE payment_codes (
  id TEXT PRIMARY KEY, space_id TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, name TEXT NOT NULL,
  amount INTEGER NOT NULL, currency TEXT NOT NULL, enabled INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  customer_name TEXT NOT NULL, customer_reference TEXT NOT NULL, phone TEXT, ussd_code TEXT NOT NULL UNIQUE,
  providers_json TEXT NOT NULL, target_count INTEGER, target_total INTEGER, account_id TEXT NOT NULL,
  paid_count INTEGER NOT NULL DEFAULT 0, paid_total INTEGER NOT NULL DEFAULT 0, processed_json TEXT,
  owner_json TEXT, metadata_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX payment_codes_by_time ON payment_codes (space_id, created_at DESC, id DESC);

CREATE TABLE payouts (
  id TEXT PRIMARY KEY, space_id TEXT NOT NULL, status TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
  source_json TEXT NOT NULL, destination_json TEXT NOT NULL, charges_json TEXT NOT NULL,
  delayed_reason TEXT, failure_json TEXT, metadata_json TEXT NOT NULL DEFAULT '{}', created_at INTEGER NOT NULL
);

CREATE TABLE webhooks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL,
  events_json TEXT NOT NULL, active INTEGER NOT NULL, api_version TEXT, emails_json TEXT NOT NULL DEFAULT '[]',
  secret TEXT, headers_json TEXT NOT NULL DEFAULT '{}', metadata_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
);
CREATE INDEX webhooks_by_space ON webhooks (space_id, number);
`;
