import type { RequestPlan } from "../../generators/request.ts";
import { ABOUT_ACCESS } from "../../history/entry.ts";
import { NotTested, unlessNotTested } from "../check.ts";
import { type Answer, isAccepted } from "../target.ts";
import type { Sender } from "./sender.ts";

export const TOKEN_WATCH = "token watch";
const MOMENT_MS = 250;

const TURNED_AWAY = "the service no longer accepts the token that it accepted when the run began";

/**
 * Returns a sender that notices when the token stops being accepted.
 * @throws NotTested if the user's token has expired
 */
export function watchingToken(
  next: Sender,
  watch: TokenWatch,
  isAuthorised: (plan: RequestPlan) => boolean,
  ended: (why: string) => void,
): Sender {
  return async (outgoing, use) => {
    const { plan } = outgoing;
    const answer = await next(outgoing, use);
    if (isAccepted(answer) && isAuthorised(plan) && plan.space !== "second") watch.accepted();
    const isUnauthorisedNow =
      use.asker !== TOKEN_WATCH && ABOUT_ACCESS.has(answer.status) && isAuthorised(plan);
    if (!isUnauthorisedNow || !(await watch.isTurnedAway(use.valid))) return answer;
    ended(TURNED_AWAY);
    throw new NotTested("control-rejected", TURNED_AWAY, [answer.exchange]);
  };
}

export class TokenWatch {
  #plan: RequestPlan | undefined;
  #asking: Promise<boolean> | undefined;
  #tries = 0;
  #accepted = Number.NEGATIVE_INFINITY;

  constructor(private readonly ask: (plan: RequestPlan) => Promise<Answer>) {}

  remember(plan: RequestPlan): void {
    this.#plan = plan;
  }

  accepted(): void {
    this.#accepted = performance.now();
  }

  /** True if the token is no longer accepted. Unless `surely`, a recent acceptance suffices for false. */
  async isTurnedAway(surely: boolean): Promise<boolean> {
    const plan = this.#plan;
    if (!plan) return false;
    if (!surely && performance.now() - this.#accepted < MOMENT_MS) return false;
    this.#asking ??= this.#isRejected(plan).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async askAgain(): Promise<Answer | undefined> {
    const plan = this.#plan;
    return plan && unlessNotTested(() => this.ask(plan));
  }

  /**
   * True if the token is no longer accepted. After a wrong token, some services reject everything on the
   * connection, so a new one is tried.
   */
  async #isRejected(plan: RequestPlan): Promise<boolean> {
    const isUnauthorisedNow = async (sent: RequestPlan) => ABOUT_ACCESS.has((await this.ask(sent)).status);
    const fresh = () => ({ ...plan, sequence: `token watch ${this.#tries++}` });
    const hasExpired = await unlessNotTested(
      async () => (await isUnauthorisedNow(plan)) && (await isUnauthorisedNow(fresh())),
    );
    if (hasExpired === false) this.accepted();
    return hasExpired ?? false;
  }
}
