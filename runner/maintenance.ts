/** Notices if a maintenance page answers instead of the service. */

import { type Answer, isUnavailable } from "../client/target.ts";
import { isPage, serviceMessage } from "./starting/diagnosis.ts";

const SUSPICIOUS_AFTER = 5;

export class Maintenance {
  #row = 0;
  #since: string | undefined;
  #asking = false;

  get since(): string | undefined {
    return this.#since;
  }

  /** Returns why the service is gone, if answers of something else have lasted. */
  async see(answer: Answer, again: () => Promise<Answer | undefined>): Promise<string | undefined> {
    if (!isForeign(answer)) {
      if (this.#asking) return undefined;
      this.#row = 0;
      this.#since = undefined;
      return undefined;
    }
    this.#since ??= answer.exchange.startedAt;
    if (++this.#row < SUSPICIOUS_AFTER || this.#asking) return undefined;
    this.#asking = true;
    try {
      const asked = await again();
      if (asked !== undefined && isForeign(asked))
        return `something else answers in place of the service: a request that it accepted at first is answered ${asked.status}${isPage(asked) ? " with a web page" : ""} now.${serviceMessage(asked)}`;
      this.#row = 0;
      this.#since = undefined;
      return undefined;
    } finally {
      this.#asking = false;
    }
  }
}

function isForeign(answer: Answer): boolean {
  return isUnavailable(answer) || (isPage(answer) && (answer.status < 400 || answer.status >= 500));
}
