/** A tiny server around a function that rejects by throwing. */

import { isObject, type JsonObject } from "../../spec/json.ts";
import { type Asked, type TinyAnswer, type TinyServer, tinyServer } from "./tiny-server.ts";

/** A condition for rejecting a call. */
class Rejected extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Rejects the call with a status if the condition does not hold. */
export function demand(condition: boolean, status = 400): asserts condition {
  if (!condition) throw new Rejected(status);
}

/** The JSON object that a call sends; refuses another content type with 415, and anything else with 400. */
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

/** Listens on a free loopback port. A failed `demand` in `answer` is answered with its status. */
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
