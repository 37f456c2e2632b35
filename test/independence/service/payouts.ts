/** Routes of payouts: read one, and update its metadata. */

import type { FastifyInstance } from "fastify";
import { type Database, json, number, type Row, text, time } from "./database.ts";
import { byId, headers, inSpace, problem, single } from "./http.ts";

const body = {
  type: "object",
  properties: { metadata: { type: ["object", "null"] } },
};

function shown(row: Row) {
  return {
    id: text(row.id),
    status: text(row.status),
    amount: { currency: text(row.currency), value: number(row.amount) },
    source: json(row.source_json, {}),
    destination: json(row.destination_json, {}),
    charges: json(row.charges_json, []),
    ...(row.delayed_reason !== null && { delayedReason: text(row.delayed_reason) }),
    ...(row.failure_json !== null && { failureDetail: json(row.failure_json, {}) }),
    createTime: time(row.created_at),
    metadata: json(row.metadata_json, {}),
  };
}

/** Merges as RFC 7396 says: null removes a name. */
function merged(old: object, change: object | null): object {
  if (change === null) return {};
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== null));
}

export function payoutRoutes(app: FastifyInstance, database: Database): void {
  const schema = { headers: headers({ spaceLength: 100 }), params: byId };
  const preHandler = inSpace(database);
  const find = (space: string, id: string): Row => {
    const row = database.first("SELECT * FROM payouts WHERE space_id = ? AND id = ?", [space, id]);
    if (!row) throw problem(404, "NOT_FOUND", "There is no such payout");
    return row;
  };

  app.get<{ Params: { id: string } }>("/payouts/:id", { schema, preHandler }, async ({ space, params }) =>
    single(shown(find(space, params.id))),
  );

  app.patch<{ Params: { id: string }; Body: { metadata?: object | null } }>(
    "/payouts/:id",
    { schema: { ...schema, body }, preHandler },
    async ({ space, params: { id }, body: { metadata } }) => {
      const row = find(space, id);
      if (metadata !== undefined) {
        const metadata_json = JSON.stringify(merged(json(row.metadata_json, {}), metadata));
        database.update("payouts", { metadata_json }, "space_id = ? AND id = ?", [space, id]);
      }
      return single(shown(find(space, id)));
    },
  );
}
