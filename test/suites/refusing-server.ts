/** A small server for tests. The function that answers a request may reject it by calling `demand`. */

import { isObject, type JsonObject } from "../../spec/json.ts";
import { type Asked, type TinyAnswer, type TinyServer, tinyServer } from "./tiny-server.ts";

class Rejected extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Rejects the request with this status unless the condition holds. */
export function demand(condition: boolean, status = 400): asserts condition {
  if (!condition) throw new Rejected(status);
}

/** Returns the JSON object in a body. Rejects another content type with 415, and any other body with 400. */
export function parsed({ headers, body }: Pick<Asked, "headers" | "body">): JsonObject {
  demand(/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""), 415);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Rejected(400);
  }
  demand(isObject(value));
  return value;
}

/** Starts the server on a free port. A request for which `demand` fails in `answer` gets the status of `demand`. */
export function refusingServer(answer: (asked: Asked) => TinyAnswer): Promise<TinyServer> {
  return tinyServer((asked) => {
    try {
      return answer(asked);
    } catch (error) {
      if (error instanceof Rejected) return { status: error.status, body: { error: "rejected" } };
      throw error;
    }
  });
}
