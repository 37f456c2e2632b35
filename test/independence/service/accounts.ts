/** Routes of financial accounts: create, and list (under the path that the changelog names). */

import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type PageQuery, page } from "./cursors.ts";
import { type Database, isDuplicate, json, number, type Row, text, time } from "./database.ts";
import { headers, inSpace, limit, list, metadata, problem, single } from "./http.ts";
import { once } from "./idempotency.ts";

interface AccountBody {
  name: string;
  currency: string;
  reference?: string | null;
  description?: string | null;
  metadata?: object;
}

const body = {
  type: "object",
  required: ["name", "currency"],
  properties: {
    name: { type: "string", maxLength: 100 },
    currency: { type: "string", pattern: "^[A-Z]{3}$" },
    reference: { type: ["string", "null"], maxLength: 64 },
    description: { type: ["string", "null"], maxLength: 150 },
    metadata,
  },
};

function shown(row: Row) {
  return {
    id: text(row.id),
    uvan: text(row.uvan),
    name: text(row.name),
    currency: text(row.currency),
    reference: row.reference,
    description: row.description,
    balance: { available: { currency: text(row.currency), value: number(row.available) } },
    createTime: time(row.created_at),
    updateTime: time(row.updated_at),
    metadata: json(row.metadata_json, {}),
  };
}

export function accountRoutes(app: FastifyInstance, database: Database): void {
  const preHandler = inSpace(database);

  app.post<{ Body: AccountBody }>(
    "/v1/financial-accounts",
    { schema: { headers: headers({ spaceLength: 64, key: true }), body }, preHandler },
    async (request, reply) =>
      once(database, request, reply, () => single(create(database, request.space, request.body))),
  );

  const querystring = { type: "object", properties: { limit, after: { type: "string", maxLength: 2000 } } };
  app.get<{ Querystring: PageQuery }>(
    "/v1/financial-accounts",
    { schema: { headers: headers({ spaceLength: 64 }), querystring }, preHandler },
    async (request) => {
      const { rows, next } = page(database, "accounts", { space_id: request.space }, request.query);
      return list(rows.map(shown), { next });
    },
  );
}

function create(database: Database, space: string, sent: AccountBody) {
  const supported = database.first(
    "SELECT 1 FROM countries, json_each(supported_json) WHERE json_each.value = ?",
    [sent.currency],
  );
  if (!supported) throw problem(400, "CURRENCY_UNKNOWN", "body/currency is not a supported currency");
  const { last } = database.first("SELECT coalesce(max(number), 0) AS last FROM accounts") ?? {};
  const now = Date.now();
  const row: Row = {
    id: randomUUID(),
    space_id: space,
    uvan: `77${String(number(last) + 1).padStart(10, "0")}`,
    name: sent.name.trim(),
    currency: sent.currency,
    reference: sent.reference ?? null,
    description: sent.description ?? null,
    available: 0,
    metadata_json: JSON.stringify(sent.metadata ?? {}),
    created_at: now,
    updated_at: now,
  };
  try {
    database.insert("accounts", row);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw problem(409, "REFERENCE_TAKEN", "Another account of this space has the reference");
  }
  return shown(row);
}
