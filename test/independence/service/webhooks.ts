/** Routes of webhooks: create, update and list. Secrets are never shown. */

import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Database, flag, json, number, type Row, text, time } from "./database.ts";
import { byId, headers, inSpace, limit, list, metadata, problem, single, VERSIONS } from "./http.ts";
import { once } from "./idempotency.ts";

interface WebhookBody {
  name?: string | null;
  url: string;
  events?: string[] | null;
  isActive?: boolean | null;
  apiVersion?: string | null;
  alertEmails?: string[] | null;
  verificationMethod?: { hmac256?: { secret?: string } };
  customHeaders?: Record<string, string>;
  metadata?: object;
}

interface ListQuery {
  limit: number;
  after?: string;
  before?: string;
}

export const EVENTS = [
  "payment_code.completed",
  "payment_code.expired",
  "payment.succeeded",
  "payment.failed",
  "payout.completed",
  "payout.failed",
  "ussd_otp.verified",
];

const url = { type: "string", format: "uri", pattern: "^https?://", maxLength: 2048 };
const events = {
  type: ["array", "null"],
  minItems: 1,
  maxItems: 100,
  items: { type: "string", enum: EVENTS },
};
const alertEmails = { type: ["array", "null"], maxItems: 3, items: { type: "string", format: "email" } };
const verificationMethod = {
  type: "object",
  properties: {
    hmac256: { type: "object", required: ["secret"], properties: { secret: { type: "string" } } },
  },
};
const customHeaders = {
  type: "object",
  propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
  additionalProperties: { type: "string", pattern: "^[^\\r\\n]*$" },
};
const shared = { url, events, alertEmails, verificationMethod, customHeaders, metadata };

const created = {
  type: "object",
  required: ["name", "url", "events"],
  properties: {
    ...shared,
    name: { type: "string", minLength: 1, maxLength: 100 },
    isActive: { type: "boolean", default: false },
    apiVersion: { type: "string", enum: VERSIONS },
  },
};

const updated = {
  type: "object",
  required: ["url"],
  properties: {
    ...shared,
    name: { type: ["string", "null"], minLength: 1, maxLength: 100 },
    isActive: { type: ["boolean", "null"] },
    apiVersion: { type: ["string", "null"], enum: [...VERSIONS, null] },
  },
};

const querystring = {
  type: "object",
  properties: {
    limit,
    after: { type: "string", maxLength: 100 },
    before: { type: "string", maxLength: 100 },
  },
};

function shown(row: Row) {
  return {
    id: text(row.id),
    name: text(row.name),
    url: text(row.url),
    events: json(row.events_json, []),
    isActive: flag(row.active),
    ...(row.api_version === null ? {} : { apiVersion: text(row.api_version) }),
    alertEmails: json(row.emails_json, []),
    ...(row.secret === null ? {} : { verificationMethod: { hmac256: { secret: "*".repeat(12) } } }),
    customHeaders: json(row.headers_json, {}),
    createTime: time(row.created_at),
    metadata: json(row.metadata_json, {}),
  };
}

/** Returns the columns that a body sets. `events: null` sets all events; a list sets each of its events once. */
function columns(sent: WebhookBody): Row {
  const change: Row = { url: new URL(sent.url).href };
  if (sent.name) change.name = sent.name.trim();
  if (sent.events !== undefined) change.events_json = JSON.stringify([...new Set(sent.events ?? EVENTS)]);
  if (typeof sent.isActive === "boolean") change.active = Number(sent.isActive);
  if (sent.apiVersion) change.api_version = sent.apiVersion;
  if (sent.alertEmails !== undefined) change.emails_json = JSON.stringify(sent.alertEmails ?? []);
  if (sent.verificationMethod) change.secret = sent.verificationMethod.hmac256?.secret ?? null;
  if (sent.customHeaders) change.headers_json = JSON.stringify(sent.customHeaders);
  if (sent.metadata) change.metadata_json = JSON.stringify(sent.metadata);
  if (change.name === "") throw problem(400, "BLANK_NAME", "body/name must not be blank");
  return change;
}

export function webhookRoutes(app: FastifyInstance, database: Database): void {
  const preHandler = inSpace(database);
  const find = (space: string, id: string) =>
    database.first("SELECT * FROM webhooks WHERE space_id = ? AND id = ?", [space, id]);

  app.post<{ Body: WebhookBody }>(
    "/webhooks",
    { schema: { headers: headers({ spaceLength: 100, key: true }), body: created }, preHandler },
    async (request, reply) =>
      once(database, request, reply, () => {
        const id = `whk${randomBytes(9).toString("hex")}`;
        const row = { ...columns(request.body), id, space_id: request.space, created_at: Date.now() };
        database.insert("webhooks", row);
        return single(shown(find(request.space, id) ?? {}));
      }),
  );

  app.patch<{ Body: WebhookBody; Params: { id: string } }>(
    "/webhooks/:id",
    { schema: { headers: headers({ spaceLength: 100 }), params: byId, body: updated }, preHandler },
    async ({ space, params: { id }, body }) => {
      if (!find(space, id)) throw problem(404, "NOT_FOUND", "There is no such webhook");
      database.update("webhooks", columns(body), "space_id = ? AND id = ?", [space, id]);
      return single(shown(find(space, id) ?? {}));
    },
  );

  app.get<{ Querystring: ListQuery }>(
    "/webhooks",
    { schema: { headers: headers({ spaceLength: 100 }), querystring }, preHandler },
    async ({ space, query }) => {
      const place = (id: string) => {
        const row = find(space, id);
        if (!row) throw problem(400, "UNKNOWN_CURSOR", "No webhook of this space has the id");
        return number(row.number);
      };
      const { total } =
        database.first("SELECT count(*) AS total FROM webhooks WHERE space_id = ?", [space]) ?? {};
      const rows =
        query.after || !query.before
          ? database.all(
              "SELECT * FROM webhooks WHERE space_id = ? AND number > ? ORDER BY number ASC LIMIT ?",
              [space, query.after ? place(query.after) : 0, query.limit],
            )
          : database
              .all("SELECT * FROM webhooks WHERE space_id = ? AND number < ? ORDER BY number DESC LIMIT ?", [
                space,
                place(query.before),
                query.limit,
              ])
              .reverse();
      const last = rows.at(-1);
      const more =
        last &&
        database.first("SELECT 1 FROM webhooks WHERE space_id = ? AND number > ?", [
          space,
          number(last.number),
        ]);
      return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });
    },
  );
}
