import { NotTested } from "../check.ts";
import { NoAnswer } from "./dispatch.ts";
import type { Ending } from "./ending.ts";
import { exchangeWithoutAnswer } from "./evidence.ts";
import { type Load, wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

const GONE_AFTER_SILENCES = 12;
const RESTART_MS = 2_000;
const FIRST_PAUSE_MS = 50;

/**
 * Returns a sender that repeats requests whose connection was lost. Idle connections may close, so a GET is
 * sent up to three times, a write twice. A service may restart, so all requests pause for a while.
 * @throws NotTested (no-answer, or interrupted if the run ends)
 */
export function overLostConnections(
  next: Sender,
  load: Pick<Load, "pause" | "pausedFor">,
  ending: Ending,
): Sender {
  const silence = new Silence();
  return async (outgoing, use) => {
    const { method, path } = outgoing.wire;
    const most = method === "GET" ? 3 : 2;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await next(outgoing, use);
        silence.answered();
        return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.kind === "aborted") throw new NotTested("interrupted", error.message);
        if (error.kind === "hung-up") throw new NotTested("no-answer", error.message);
        silence.addLost({ isCounted: tries <= most });
        const isSilent = silence.requests >= GONE_AFTER_SILENCES;
        const isRestarting = silence.mayBeRestart(error);
        if (isSilent && !isRestarting) ending.end("no-answer", inWords(error));
        if (error.kind === "closed" && tries < most && !isSilent) continue;
        if (isRestarting && (silence.isAway(error) || silence.requests > most)) {
          if (load.pausedFor === 0) load.pause(silence.nextPause());
          await wait(load.pausedFor, ending.signal);
          if (!ending.isOver) continue;
        }
        throw new NotTested("no-answer", `${method} ${path}: ${error.message}`, [
          exchangeWithoutAnswer(outgoing, error.message),
        ]);
      }
    }
  };
}

class Silence {
  requests = 0;
  #since = 0;
  #hasAnswered = false;
  #pauses = 0;

  answered(): void {
    this.requests = 0;
    this.#pauses = 0;
    this.#hasAnswered = true;
  }

  addLost({ isCounted }: { isCounted: boolean }): void {
    if (this.requests === 0) this.#since = Date.now();
    if (isCounted) this.requests++;
  }

  /** Returns milliseconds, twice as many each time. */
  nextPause(): number {
    return FIRST_PAUSE_MS * 2 ** this.#pauses++;
  }

  isAway({ kind }: NoAnswer): boolean {
    return this.#hasAnswered && kind === "unreachable";
  }

  mayBeRestart(error: NoAnswer): boolean {
    const isLost = error.kind === "closed" || this.isAway(error);
    return isLost && Date.now() - this.#since < RESTART_MS;
  }
}

function inWords({ kind, message }: NoAnswer): string {
  return kind === "too-large"
    ? `the service answers only what is too large to be judged: ${message}`
    : "the service has stopped answering";
}
