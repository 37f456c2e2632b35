/** Routes of payment codes. The list and the single read show a code in different shapes. */

import type { FastifyInstance } from "fastify";
import { type PageQuery, page } from "./cursors.ts";
import { type Database, flag, json, number, type Row, text, time } from "./database.ts";
import { byId, headers, inSpace, limit, list, metadata, problem, single } from "./http.ts";

interface ListQuery extends PageQuery {
  ussd_code?: string | null;
  mode?: string | null;
  status?: string | null;
}

interface CodeBody {
  name?: string | null;
  isActive?: boolean | null;
  status?: "cancelled" | null;
  expireTime?: string;
  allowedProviders?: string[] | null;
  metadata?: object;
}

const querystring = {
  type: "object",
  properties: {
    ussd_code: { type: ["string", "null"] },
    mode: { type: ["string", "null"], enum: ["one_time", "recurrent", null] },
    status: {
      type: ["string", "null"],
      enum: ["pending", "cancelled", "processing", "expired", "completed", null],
    },
    limit,
    after: { type: ["string", "null"], maxLength: 2000 },
  },
};

const body = {
  type: "object",
  properties: {
    name: { type: ["string", "null"], maxLength: 100 },
    isActive: { type: ["boolean", "null"], default: true },
    status: { type: ["string", "null"], enum: ["cancelled", null] },
    expireTime: { type: "string", format: "date-time" },
    allowedProviders: { type: ["array", "null"], minItems: 1, maxItems: 10, items: { type: "string" } },
    metadata,
  },
};

const money = (value: unknown, row: Row) => ({ currency: text(row.currency), value: Number(value) });
const masked = (phone: string) => phone.replace(/(?<=^.{6})\d(?=\d{2})/g, "*");

/** Fields that have the same name in both shapes. */
function common(row: Row) {
  return {
    id: text(row.id),
    name: text(row.name),
    status: text(row.status),
    ussdCode: text(row.ussd_code),
    amount: money(row.amount, row),
    financialAccountId: text(row.account_id),
    expireTime: time(row.expires_at),
    createTime: time(row.created_at),
    metadata: json(row.metadata_json, {}),
  };
}

function listed(row: Row) {
  return {
    ...common(row),
    mode: text(row.mode),
    enable: flag(row.enabled),
    customer: { name: text(row.customer_name) },
    reference: text(row.customer_reference),
    authorizedProviders: json<string[]>(row.providers_json, []),
    ...(row.phone !== null && { authorizedPhoneNumber: masked(text(row.phone)) }),
    ...(row.target_count !== null && {
      recurrentPaymentTarget: {
        expectedPaymentCount: number(row.target_count),
        expectedPaymentTotal: money(row.target_total, row),
      },
    }),
    ...(row.processed_json !== null && { processedPaymentData: json(row.processed_json, {}) }),
    ...(row.owner_json !== null && { ownershipGraph: { owner: json(row.owner_json, {}) } }),
    updateTime: time(row.updated_at),
  };
}

function detailed(row: Row) {
  return {
    ...common(row),
    mode: row.mode === "one_time" ? "oneTime" : "recurrent",
    isActive: flag(row.enabled),
    customerTarget: {
      name: text(row.customer_name),
      reference: text(row.customer_reference),
      ...(row.phone !== null && { payingPhoneNumber: masked(text(row.phone)) }),
    },
    ...(row.target_count !== null && {
      financialTarget: {
        expectedPaymentCount: number(row.target_count),
        expectedPaymentSum: money(row.target_total, row),
      },
    }),
    allowedProviders: json<string[]>(row.providers_json, []),
    progress: {
      isCompleted: row.status === "completed",
      totalPaymentCount: number(row.paid_count),
      totalPaymentSum: money(row.paid_total, row),
    },
  };
}

export function paymentCodeRoutes(app: FastifyInstance, database: Database): void {
  const preHandler = inSpace(database);
  const find = (space: string, id: string): Row => {
    const row = database.first("SELECT * FROM payment_codes WHERE space_id = ? AND id = ?", [space, id]);
    if (!row) throw problem(404, "NOT_FOUND", "There is no such payment code");
    return row;
  };

  app.get<{ Querystring: ListQuery }>(
    "/v1/payment-codes",
    { schema: { headers: headers({ spaceLength: 64 }), querystring }, preHandler },
    async ({ space, query }) => {
      const { ussd_code, mode, status } = query;
      const filters = { space_id: space, ussd_code: ussd_code || null, mode, status };
      const { rows, next } = page(database, "payment_codes", filters, query);
      return list(rows.map(listed), { next });
    },
  );

  app.get<{ Params: { id: string } }>(
    "/payment-codes/:id",
    { schema: { headers: headers({ spaceLength: 100 }), params: byId }, preHandler },
    async ({ space, params }) => single(detailed(find(space, params.id))),
  );

  app.patch<{ Params: { id: string }; Body: CodeBody }>(
    "/payment-codes/:id",
    { schema: { headers: headers({ spaceLength: 100 }), params: byId, body }, preHandler },
    async ({ space, params: { id }, body: sent }) => {
      const change = columns(database, find(space, id), sent);
      database.update("payment_codes", change, "space_id = ? AND id = ?", [space, id]);
      return single(detailed(find(space, id)));
    },
  );
}

/** Returns the columns that an update sets. Null sets none, except that null for providers allows all. */
function columns(database: Database, row: Row, sent: CodeBody): Row {
  const change: Row = { updated_at: Date.now() };
  if (typeof sent.name === "string") change.name = sent.name;
  if (typeof sent.isActive === "boolean") change.enabled = Number(sent.isActive);
  if (sent.status === "cancelled") {
    if (row.status !== "pending" && row.status !== "processing")
      throw problem(409, "NOT_CANCELLABLE", `A payment code that is ${text(row.status)} can't be cancelled`);
    change.status = "cancelled";
  }
  if (sent.expireTime !== undefined) {
    const at = Date.parse(sent.expireTime);
    if (!(at > Date.now())) throw problem(422, "EXPIRY_IN_PAST", "body/expireTime must be a time to come");
    change.expires_at = at;
  }
  if (sent.allowedProviders !== undefined)
    change.providers_json = JSON.stringify(
      (sent.allowedProviders ?? []).map((given) => providerCode(database, given)),
    );
  if (sent.metadata) change.metadata_json = JSON.stringify(sent.metadata);
  return change;
}

/** Returns the code of the provider with this id or code. @throws if no provider that can pay has it */
function providerCode(database: Database, given: string): string {
  const provider = database.first(
    "SELECT code FROM providers WHERE (id = ? OR code = ?) AND active = 1 AND pay_from = 1",
    [given, given],
  );
  if (!provider) throw problem(422, "PROVIDER_UNFIT", `The provider ${given} is not known or can't pay`);
  return text(provider.code);
}
