/** The service may have closed an idle connection, so a lost request is sent again. */

import { NotTested } from "../check.ts";
import type { Ending } from "./ending.ts";
import { unanswered } from "./evidence.ts";
import { NoAnswer } from "./http.ts";
import { wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const GONE_AFTER_SILENCES = 12;
const RESTART_MS = 2_000;
const FIRST_PAUSE_MS = 50;

/**
 * Sends a GET at most three times, and a write twice. If nothing gets an answer, goes on for as long as a
 * restart takes.
 * @throws NotTested (no-answer, interrupted)
 */
export function overLostConnections(next: Sender, ending: Ending): Sender {
  let silent = 0;
  let silentSince = 0;
  let hasAnswered = false;
  return async (outgoing, use) => {
    const { wire } = outgoing;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await next(outgoing, use);
        silent = 0;
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.kind === "aborted") throw new NotTested("interrupted", error.message);
        const most = wire.method === "GET" ? 3 : 2;
        if (silent === 0) silentSince = Date.now();
        if (tries <= most) silent++;
        const isRestarting = Date.now() - silentSince < RESTART_MS;
        const isAway = hasAnswered && error.kind === "unreachable";
        const mayPass = error.kind === "closed" || isAway;
        if (silent >= GONE_AFTER_SILENCES && !(mayPass && isRestarting))
          ending.end("no-answer", silence(error));
        if (error.kind === "closed" && tries < most) continue;
        if (mayPass && (isAway || silent > most) && isRestarting) {
          await wait(FIRST_PAUSE_MS * 2 ** Math.max(0, tries - most), ending.signal);
          if (!ending.isOver) continue;
        }
        throw new NotTested("no-answer", `${wire.method} ${wire.path}: ${error.message}`, [
          unanswered(outgoing, error.message),
        ]);
      }
    }
  };
}

function silence({ kind, message }: NoAnswer): string {
  return kind === "too-large"
    ? `the service answers only what is too large to be judged: ${message}`
    : "the service has stopped answering";
}
