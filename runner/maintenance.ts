/** Notices that a service has turned into something else while it is tested: a maintenance page, a gateway's error. */

import { type Answer, isUnavailable } from "../client/target.ts";
import { isPage, ownWords } from "./diagnosis.ts";

/** So many answers in a row that are none of the service's own, and what it accepted at first is asked again. */
const SUSPICIOUS_AFTER = 5;

export class Maintenance {
  #row = 0;
  #since: string | undefined;
  #asking = false;

  /** When the first answer came that was not the service's own; undefined while it answers itself. RFC 3339. */
  get since(): string | undefined {
    return this.#since;
  }

  /**
   * Takes in an answer. Why the service is taken to be gone, when `again`, which asks what it accepted when the run
   * began, is answered in the same way; else undefined.
   */
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
        return `the service has turned into something else: what it accepted at first is answered ${asked.status}${isPage(asked) ? " with a web page" : ""} by now.${ownWords(asked)}`;
      this.#row = 0;
      this.#since = undefined;
      return undefined;
    } finally {
      this.#asking = false;
    }
  }
}

/** Not an answer of the API: a gateway's, or a page that is no refusal of this one request. */
function isForeign(answer: Answer): boolean {
  return isUnavailable(answer) || (isPage(answer) && (answer.status < 400 || answer.status >= 500));
}
