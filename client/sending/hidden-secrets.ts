/** Learns the secrets that requests and answers hold, and hides them by name in what is kept. */

import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Schema } from "../../spec/model/spec.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { Untestable } from "../check.ts";
import type { Answer } from "../target.ts";
import { unanswered } from "./evidence.ts";
import { NoAnswer } from "./http.ts";
import type { Redactor } from "./secrets.ts";
import type { Outgoing, Sender } from "./sender.ts";

/** Anything that only stands for a secret: it is none, and would take other text with it. */
const MASK = /[*•x]{3}|^(.)\1*$/i;

/** Hides headers that carry secrets; their values elsewhere are taken out where results leave the run. */
export function hidingSecrets(next: Sender, redactor: Redactor, schemas: SchemaIndex): Sender {
  return async (outgoing, use) => {
    const { plan } = outgoing;
    const { operation, body } = plan;
    // What a probe made of the token is nearly the token; a scheme alone is no secret.
    redactor.add(plan.headers.authorization?.replace(/^[A-Za-z]+(?: +|$)/, ""));
    if (operation.body && body?.kind === "json")
      secretsIn(schemas, operation.body, body.value, (secret) => redactor.add(secret));
    try {
      const answer = await next(outgoing, use);
      learnFrom(answer, redactor, schemas);
      return { ...answer, exchange: hidden(answer.exchange, outgoing, redactor) };
    } catch (error) {
      if (!(error instanceof Untestable)) throw error;
      const evidence = error.evidence.map((exchange) => hidden(exchange, outgoing, redactor));
      throw new Untestable(error.reason, redactor.text(error.message), evidence);
    }
  };
}

/**
 * Shows every exchange with the target as it was, attempts that are made again among them, with the id of the check
 * that asked. Stands next to the wire; headers that carry secrets are hidden.
 */
export function showingTraffic(
  next: Sender,
  redactor: Redactor,
  schemas: SchemaIndex,
  see: (exchange: Exchange, check: string) => void,
): Sender {
  return async (outgoing, use) => {
    try {
      const answer = await next(outgoing, use);
      learnFrom(answer, redactor, schemas);
      see(hidden(answer.exchange, outgoing, redactor), use.check);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer)
        see(hidden(unanswered(outgoing, error.message), outgoing, redactor), use.check);
      throw error;
    }
  };
}

function learnFrom({ plan, json }: Answer, redactor: Redactor, schemas: SchemaIndex): void {
  if (plan.operation.response)
    secretsIn(schemas, plan.operation.response, json, (secret) => {
      if (!MASK.test(secret)) redactor.addShown(secret);
    });
}

function hidden(exchange: Exchange, { wire }: Outgoing, redactor: Redactor): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: { ...request, headers: redactor.hideHeaders(request.headers, wire.authorizationLabel) },
    ...(response && { response: { ...response, headers: redactor.hideHeaders(response.headers) } }),
  };
}

function secretsIn(
  schemas: SchemaIndex,
  schema: Schema,
  value: unknown,
  take: (secret: string) => void,
): void {
  if (!isObject(value) || !schemas.holdsSecret(schema)) return;
  schemas.walk(schema, value as JsonObject, (visit) => {
    if (visit.schema["x-secret"] && typeof visit.value === "string") take(visit.value);
  });
}
