/** Code that all routes share: validation, authentication, spaces, envelopes, errors. */

import { createHash } from "node:crypto";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Database, text } from "./database.ts";

declare module "fastify" {
  interface FastifyRequest {
    tenant: string;
    space: string;
  }
}

export const VERSIONS = ["caph.2025-08-23", "caph.2025-06-20"];

/** Makes an error that Fastify answers with this status, in its default format. */
export function problem(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code });
}

export const single = (result: object) => ({ success: true, messages: [], result });

export const list = (result: object[], pagination: { total?: number; next: string | null }) => ({
  success: true,
  messages: [],
  result,
  pagination: { count: result.length, ...pagination },
});

export const digest = (value: string) => createHash("sha256").update(value).digest("hex");

/**
 * Converts texts in query and path to numbers and booleans before it validates them. Does not convert bodies.
 */
export function addValidation(app: FastifyInstance): void {
  const common = { useDefaults: true, allErrors: false, strictTypes: false, allowUnionTypes: true };
  const bodies = new Ajv(common);
  const texts = new Ajv({ ...common, coerceTypes: true });
  for (const ajv of [bodies, texts]) formats.default(ajv);
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    (httpPart === "body" ? bodies : texts).compile(schema),
  );
}

/** Requires a bearer token on every route, even on unknown ones. */
export function addAuthentication(app: FastifyInstance, database: Database): void {
  app.decorateRequest("tenant", "");
  app.decorateRequest("space", "");
  app.addHook("onRequest", async (request, reply) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const known = token && database.first("SELECT tenant FROM tokens WHERE digest = ?", [digest(token)]);
    if (!known) {
      reply.header("www-authenticate", 'Bearer realm="payments"');
      throw problem(401, "UNAUTHENTICATED", "A valid access token is required");
    }
    request.tenant = text(known.tenant);
  });
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("service-version", request.headers["service-version"] || VERSIONS[0]);
    reply.header("cache-control", "no-store");
  });
}

/** Returns a hook that sets `request.space`, or answers 403 if the token may not use the space. */
export function inSpace(database: Database) {
  return async (request: FastifyRequest) => {
    const space = String(request.headers["service-space-id"]);
    const own = database.first("SELECT id FROM spaces WHERE id = ? AND tenant = ?", [space, request.tenant]);
    if (!own) throw problem(403, "SPACE_FORBIDDEN", "The token has no access to this space");
    request.space = space;
  };
}

const version = { type: ["string", "null"], enum: [...VERSIONS, null] };

/**
 * Returns the schema of a route's request headers. A route of a space gives `spaceLength`, the longest id of a
 * space. A route that creates sets `key`.
 */
export function headers({ spaceLength, key = false }: { spaceLength?: number; key?: boolean } = {}) {
  return {
    type: "object",
    required: [...(spaceLength ? ["service-space-id"] : []), ...(key ? ["idempotency-key"] : [])],
    properties: {
      "service-version": version,
      ...(spaceLength && {
        "service-space-id": { type: "string", maxLength: spaceLength, pattern: "^spc-.*$" },
      }),
      ...(key && { "idempotency-key": { type: "string", minLength: 1, maxLength: 64 } }),
    },
  };
}

export const limit = { type: "integer", minimum: 1, maximum: 50, default: 10 };
export const metadata = { type: "object" };
export const byId = { type: "object", properties: { id: { type: "string" } } };
