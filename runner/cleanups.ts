/** What a run leaves for its end: above all, to switch off again what it has switched on. */

import { switchesOn } from "../client/deactivation.ts";
import type { Target } from "../client/target.ts";
import type { CheckResult } from "../spec/model/result.ts";
import { isRefusal } from "./confirm.ts";

type Work = () => Promise<void>;

export class Cleanups {
  #all: { work: Work; needed: boolean }[] = [];
  #roomMade = false;

  /** Remembers something for the end; `needed` says that what it is about is needed until then. */
  add(work: Work, needed: boolean): void {
    this.#all.push({ work, needed });
  }

  /** Does all that is left. Never fails. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#all.splice(0).map(({ work }) => work()));
  }

  /**
   * Before something is tried again that was refused, and would have been active: does what may be done early, as a
   * service may have room for so many active ones only. Whether there is more room than there was.
   */
  async makeRoom(target: Target, { operation: key, ...found }: CheckResult): Promise<boolean> {
    const operation = target.spec.operations.find((each) => each.key === key);
    const body = found.evidence.at(-1)?.request.body ?? null;
    if (!operation || !isRefusal(found) || !switchesOn(target, operation, body)) return false;
    const early = this.#all.filter(({ needed }) => !needed);
    this.#all = this.#all.filter(({ needed }) => needed);
    await Promise.allSettled(early.map(({ work }) => work()));
    this.#roomMade ||= early.length > 0;
    return this.#roomMade;
  }
}
