/** Connections that break: a closed one may have been closed while idle, so the request is sent again. */

import { Untestable } from "../check.ts";
import type { Ending } from "./ending.ts";
import { unanswered } from "./evidence.ts";
import { NoAnswer } from "./http.ts";
import type { Sender } from "./sender.ts";

/** So many requests in a row without an answer, and the target is taken to be gone. */
const GONE_AFTER = 12;

/**
 * Tries again what was closed without an answer: calls that change nothing twice, others once, with the same
 * idempotency key. Throws Untestable (no-answer, interrupted).
 */
export function overLostConnections(next: Sender, ending: Ending): Sender {
  let silent = 0;
  return async (outgoing, use) => {
    const { wire } = outgoing;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await next(outgoing, use);
        silent = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.kind === "aborted") throw new Untestable("interrupted", error.message);
        if (++silent >= GONE_AFTER) ending.end("no-answer", silence(error));
        const again = error.kind === "closed" && tries < (wire.method === "GET" ? 3 : 2);
        if (again) continue;
        throw new Untestable("no-answer", `${wire.method} ${wire.path}: ${error.message}`, [
          unanswered(outgoing, error.message),
        ]);
      }
    }
  };
}

/** What is told of a service that gives no more answers that can be judged. */
function silence({ kind, message }: NoAnswer): string {
  return kind === "too-large"
    ? `the service answers only what is too large to be judged: ${message}`
    : "the service has stopped answering";
}
