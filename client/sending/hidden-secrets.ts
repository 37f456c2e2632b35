/** Learns the secrets that requests and answers hold, and hides them by name in what is kept. */

import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Schema } from "../../spec/model/spec.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { Untestable } from "../check.ts";
import { isTokenLike } from "./secret-forms.ts";
import type { Redactor } from "./secrets.ts";
import type { Outgoing, Sender } from "./sender.ts";

/** Anything that only stands for a secret: it is none, and would take other text with it. */
const MASK = /[*•x]{3}|^(.)\1*$/i;

/** Learns the secrets of every request before it is sent, and of every answer before anybody else sees it. */
export function learningSecrets(next: Sender, redactor: Redactor, schemas: SchemaIndex): Sender {
  return async (outgoing, use) => {
    const { operation, headers, body } = outgoing.plan;
    // What a probe made of the token is nearly the token; a scheme alone is no secret.
    redactor.add(headers.authorization?.replace(/^[A-Za-z]+(?: +|$)/, ""));
    if (operation.body && body?.kind === "json")
      secretsIn(schemas, operation.body, body.value, redactor, (secret) =>
        redactor.add(secret, isTokenLike(secret)),
      );
    const answer = await next(outgoing, use);
    if (operation.response)
      secretsIn(schemas, operation.response, answer.json, redactor, (secret) => {
        if (!MASK.test(secret)) redactor.addShown(secret);
      });
    return answer;
  };
}

/** Hides headers that carry secrets; their values elsewhere are taken out where results leave the run. */
export function hidingSecrets(next: Sender, redactor: Redactor): Sender {
  return async (outgoing, use) => {
    try {
      const answer = await next(outgoing, use);
      return { ...answer, exchange: hidden(answer.exchange, outgoing, redactor) };
    } catch (error) {
      if (!(error instanceof Untestable)) throw error;
      const evidence = error.evidence.map((exchange) => hidden(exchange, outgoing, redactor));
      throw new Untestable(error.reason, redactor.text(error.message), evidence);
    }
  };
}

/** An exchange without the values of headers that carry secrets. */
export function hidden(exchange: Exchange, { wire }: Outgoing, redactor: Redactor): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: { ...request, headers: redactor.hideHeaders(request.headers, wire.authorizationLabel) },
    ...(response && { response: { ...response, headers: redactor.hideHeaders(response.headers) } }),
  };
}

/** Gives secrets to `take`; the members of an object that is hidden become secrets under their names. */
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
