/**
 * A service of the payments API, written with Fastify from the specification alone. It shares no code with
 * the reference service. If the specification is silent, it behaves differently.
 */

import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { accountRoutes } from "./accounts.ts";
import type { Database } from "./database.ts";
import { addAuthentication, addValidation } from "./http.ts";
import { otpRoutes } from "./otps.ts";
import { paymentCodeRoutes } from "./payment-codes.ts";
import { payoutRoutes } from "./payouts.ts";
import { referenceDataRoutes } from "./reference-data.ts";
import { webhookRoutes } from "./webhooks.ts";

export function buildApp(database: Database): FastifyInstance {
  const app = Fastify({ genReqId: () => randomUUID(), forceCloseConnections: true });
  addValidation(app);
  addAuthentication(app, database);
  accountRoutes(app, database);
  otpRoutes(app, database);
  paymentCodeRoutes(app, database);
  payoutRoutes(app, database);
  referenceDataRoutes(app, database);
  webhookRoutes(app, database);
  return app;
}
