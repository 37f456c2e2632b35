import type { FastifyReply, FastifyRequest } from "fastify";
import { type Database, text } from "./database.ts";
import { digest, problem } from "./http.ts";

/**
 * Returns the answer of `create`, or the stored answer if the key was used in this space and operation.
 * @throws a 422 if the key was used with another body
 */
export function once(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  create: () => object,
): object {
  const key = String(request.headers["idempotency-key"]);
  const operation = `${request.method} ${request.routeOptions.url}`;
  const sent = digest(JSON.stringify(request.body));
  return database.transaction(() => {
    const used = database.first(
      "SELECT request_digest, response_json FROM idempotency_keys WHERE space_id = ? AND operation = ? AND key = ?",
      [request.space, operation, key],
    );
    if (used) {
      if (used.request_digest !== sent)
        throw problem(422, "KEY_REUSED", "The Idempotency-Key was used with another body");
      reply.header("idempotent-replayed", "true");
      return JSON.parse(text(used.response_json)) as object;
    }
    const answer = create();
    database.insert("idempotency_keys", {
      space_id: request.space,
      operation,
      key,
      request_digest: sent,
      response_json: JSON.stringify(answer),
    });
    return answer;
  });
}
