/** Routes of banks, momos and countries. They are the same in all spaces, and each list has one page. */

import type { FastifyInstance } from "fastify";
import { type Database, flag, json, number, type Row, text, time } from "./database.ts";
import { headers, list, problem, single } from "./http.ts";

const country = { type: "string", minLength: 2, maxLength: 2 };
const querystring = { type: "object", required: ["country"], properties: { country } };
const params = { type: "object", properties: { idOrCode: { type: "string" } } };

function shownProvider(row: Row) {
  const schemes = row.kind === "bank" ? ["iban", "bban"] : ["msisdn"];
  return {
    id: text(row.id),
    code: text(row.code),
    name: text(row.name),
    country: text(row.country),
    status: { active: flag(row.active) },
    featureSet: {
      payout: { canPayTo: flag(row.pay_to), schemes: row.pay_to ? schemes : [], metadata: {} },
      payment: { canPayFrom: flag(row.pay_from), schemes: row.pay_from ? schemes : [], metadata: {} },
      kycVerification: { canVerifyAccount: flag(row.verify), metadata: {} },
    },
    createTime: time(row.created_at),
    updateTime: time(row.updated_at),
  };
}

function shownCountry(row: Row) {
  return {
    id: text(row.id),
    code: text(row.code),
    name: text(row.name),
    currency: { code: text(row.currency), unit: text(row.unit), unitLength: number(row.unit_length) },
    supportedCurrencies: json<string[]>(row.supported_json, []),
  };
}

function providerRoutes(app: FastifyInstance, database: Database, path: string, kind: string): void {
  app.get<{ Querystring: { country: string } }>(
    path,
    { schema: { headers: headers(), querystring } },
    async ({ query }) => {
      const rows = database.all("SELECT * FROM providers WHERE kind = ? AND country = ? ORDER BY name", [
        kind,
        query.country.toUpperCase(),
      ]);
      return list(rows.map(shownProvider), { total: rows.length, next: null });
    },
  );

  app.get<{ Params: { idOrCode: string } }>(
    `${path}/:idOrCode`,
    { schema: { headers: headers(), params } },
    async ({ params: { idOrCode } }) => {
      const row = database.first("SELECT * FROM providers WHERE kind = ? AND (id = ? OR code = ?)", [
        kind,
        idOrCode,
        idOrCode,
      ]);
      if (!row) throw problem(404, "NOT_FOUND", `There is no such ${kind}`);
      return single(shownProvider(row));
    },
  );
}

export function referenceDataRoutes(app: FastifyInstance, database: Database): void {
  providerRoutes(app, database, "/banks", "bank");
  providerRoutes(app, database, "/momos", "momo");

  app.get("/countries", { schema: { headers: headers() } }, async () => {
    const rows = database.all("SELECT * FROM countries ORDER BY name");
    return list(rows.map(shownCountry), { total: rows.length, next: null });
  });

  app.get<{ Params: { idOrCode: string } }>(
    "/countries/:idOrCode",
    { schema: { headers: headers(), params } },
    async ({ params: { idOrCode } }) => {
      const row = database.first("SELECT * FROM countries WHERE id = ? OR code = ?", [idOrCode, idOrCode]);
      if (!row) throw problem(404, "NOT_FOUND", "There is no such country");
      return single(shownCountry(row));
    },
  );
}
