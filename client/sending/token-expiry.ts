/** Notices that the target no longer takes the token that it took when the run began: it has run out, perhaps. */

import type { RequestPlan } from "../../generators/request.ts";
import { Untestable } from "../check.ts";
import type { Answer } from "../target.ts";
import type { Sender } from "./sender.ts";

/** The name under which the watch asks, in place of a check's id. */
export const TOKEN_WATCH = "token watch";
/** Milliseconds for which the target is taken to stand by the token that it has just taken. */
const MOMENT = 250;

/** 401 or 403: the statuses of a token that is not, or no longer, good enough. */
function isUnauthorised(status: number): boolean {
  return status === 401 || status === 403;
}

/** Why nothing more is asked once the token has run out. */
const TURNED_AWAY = "the service no longer accepts the token that it accepted when the run began";

/**
 * Ends the run when an authorised request is refused and the token turns out to have run out. Throws Untestable
 * (control-rejected) then. `ended` hears why.
 */
export function watchingToken(
  next: Sender,
  watch: TokenWatch,
  isAuthorised: (plan: RequestPlan) => boolean,
  ended: (why: string) => void,
): Sender {
  return async (outgoing, use) => {
    const answer = await next(outgoing, use);
    const refused = use.check !== TOKEN_WATCH && isUnauthorised(answer.status) && isAuthorised(outgoing.plan);
    if (!refused || !(await watch.isTurnedAway(use.valid))) return answer;
    ended(TURNED_AWAY);
    throw new Untestable("control-rejected", TURNED_AWAY, [answer]);
  };
}

/** Asks again, when it matters, something cheap that the target accepted when the run began. */
export class TokenWatch {
  readonly #ask: (plan: RequestPlan) => Promise<Answer>;
  #plan: RequestPlan | undefined;
  #asking: Promise<boolean> | undefined;
  /** When the target last accepted it, on the clock of `performance`. */
  #accepted = Number.NEGATIVE_INFINITY;

  constructor(ask: (plan: RequestPlan) => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Takes a valid request that was accepted just now. */
  remember(plan: RequestPlan): void {
    this.#plan = plan;
  }

  /**
   * Whether what was accepted is turned away by now. What was found out a moment ago is good enough, unless it has to
   * be known surely. False where nothing was ever accepted, or no answer can be had.
   */
  async isTurnedAway(surely: boolean): Promise<boolean> {
    const plan = this.#plan;
    if (!plan) return false;
    if (!surely && performance.now() - this.#accepted < MOMENT) return false;
    this.#asking ??= this.#look(plan).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** What was accepted when the run began, asked again; undefined where nothing was, or no answer can be had. */
  async askAgain(): Promise<Answer | undefined> {
    if (!this.#plan) return undefined;
    try {
      return await this.#ask(this.#plan);
    } catch (error) {
      if (error instanceof Untestable) return undefined;
      throw error;
    }
  }

  async #look(plan: RequestPlan): Promise<boolean> {
    try {
      const { status } = await this.#ask(plan);
      if (!isUnauthorised(status)) this.#accepted = performance.now();
      return isUnauthorised(status);
    } catch (error) {
      if (error instanceof Untestable) return false;
      throw error;
    }
  }
}
