import { isTokenLike } from "../../spec/formats.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Operation, Schema } from "../../spec/model/spec.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { NotTested } from "../check.ts";
import type { Redactor } from "./secrets.ts";
import type { Outgoing, Sender } from "./sender.ts";

/** Matches masks (`****`), which are no secrets. */
const MASK = /[*•x]{3}|^(.)\1*$/i;

/** Learns secrets from requests and answers, before anything is reported. */
export function learningSecrets(next: Sender, redactor: Redactor, schemas: SchemaIndex): Sender {
  return async (outgoing, use) => {
    const { operation, headers, body } = outgoing.plan;
    // A probe may send an altered token, which reveals the user's own.
    redactor.add(headers.authorization?.replace(/^[A-Za-z]+(?: +|$)/, ""));
    if (body?.kind === "json") learnSent(schemas, operation, body.value, redactor);
    const answer = await next(outgoing, use);
    learnShown(schemas, operation, answer.json, redactor);
    return answer;
  };
}

/** Learns the secret fields of a request body. */
export function learnSent(
  schemas: SchemaIndex,
  { body }: Pick<Operation, "body">,
  value: unknown,
  redactor: Redactor,
): void {
  if (!body) return;
  secretsIn(schemas, body, value, redactor, (secret) => redactor.add(secret, isTokenLike(secret)));
}

/** Learns the secret fields of a response. */
export function learnShown(
  schemas: SchemaIndex,
  { response }: Pick<Operation, "response">,
  value: unknown,
  redactor: Redactor,
): void {
  if (!response) return;
  secretsIn(schemas, response, value, redactor, (secret) => {
    if (!MASK.test(secret)) redactor.addShown(secret);
  });
}

/** Hides secrets in the headers of exchanges and in the messages of errors. */
export function hidingSecrets(next: Sender, redactor: Redactor): Sender {
  return async (outgoing, use) => {
    try {
      const answer = await next(outgoing, use);
      return { ...answer, exchange: withoutSecretHeaders(answer.exchange, outgoing, redactor) };
    } catch (error) {
      if (!(error instanceof NotTested)) throw error;
      const evidence = error.evidence.map((exchange) => withoutSecretHeaders(exchange, outgoing, redactor));
      throw new NotTested(error.reason, redactor.text(error.message), evidence, error.remedy);
    }
  };
}

export function withoutSecretHeaders(exchange: Exchange, { wire }: Outgoing, redactor: Redactor): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: { ...request, headers: redactor.hideHeaders(request.headers, wire.authorizationLabel) },
    ...(response && { response: { ...response, headers: redactor.hideHeaders(response.headers) } }),
  };
}

/** Hands each text that the specification marks as secret to `take`, also within hidden members. */
function secretsIn(
  schemas: SchemaIndex,
  schema: Schema,
  value: unknown,
  redactor: Redactor,
  take: (secret: string) => void,
): void {
  if (!isObject(value) || !schemas.hides(schema)) return;
  schemas.walk(schema, value as JsonObject, ({ schema: part, value: found }) => {
    if (part["x-secret"] && typeof found === "string") take(found);
    if (!part["x-hidden"] || !isObject(found)) return;
    for (const [name, member] of Object.entries(found))
      if (typeof member === "string" && !MASK.test(member)) redactor.addNamed(name, member);
  });
}
