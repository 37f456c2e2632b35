/** The route that lists USSD OTP sessions. */

import type { FastifyInstance } from "fastify";
import { type PageQuery, page } from "./cursors.ts";
import { type Database, json, type Row, text, time } from "./database.ts";
import { headers, inSpace, limit, list } from "./http.ts";

const querystring = {
  type: "object",
  properties: { limit, after: { type: ["string", "null"], maxLength: 2000 } },
};

function shown(row: Row) {
  return {
    id: text(row.id),
    status: text(row.status),
    dialCode: text(row.dial_code),
    authorizedPhoneNumber: text(row.phone),
    verificationMessage: row.message,
    createTime: time(row.created_at),
    expireTime: time(row.expires_at),
    metadata: json<object | null>(row.metadata_json, null),
  };
}

export function otpRoutes(app: FastifyInstance, database: Database): void {
  app.get<{ Querystring: PageQuery }>(
    "/v1/ussd-otps",
    { schema: { headers: headers({ spaceLength: 64 }), querystring }, preHandler: inSpace(database) },
    async ({ space, query }) => {
      const { rows, next } = page(database, "otps", { space_id: space }, query);
      return list(rows.map(shown), { next });
    },
  );
}
