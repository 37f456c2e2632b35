/** A tiny server around a service that refuses by throwing. */

import { type Asked, type TinyServer, type Told, tinyServer } from "./tiny-server.ts";

/** What refuses a call. */
export class Rejected extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Refuses the call, with a status, where the condition does not hold. */
export function demand(condition: boolean, status = 400): asserts condition {
  if (!condition) throw new Rejected(status);
}

/** Listens on a free loopback port; what `answer` demands in vain is answered with its status. */
export function refusingServer(answer: (asked: Asked) => Told): Promise<TinyServer> {
  return tinyServer((asked) => {
    try {
      return answer(asked);
    } catch (error) {
      if (error instanceof Rejected) return { status: error.status, body: { error: "rejected" } };
      throw error;
    }
  });
}
