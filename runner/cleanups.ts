/** What a run leaves for its end: above all, to switch off again what it has switched on. */

import { switchesOn } from "../client/deactivation.ts";
import { startReceiver } from "../client/sending/receiver.ts";
import type { Receiver, Target } from "../client/target.ts";
import type { CheckResult } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import { isRefusal } from "./confirm.ts";

type Work = () => Promise<void>;

export class Cleanups {
  #all: { work: Work; needed: boolean }[] = [];
  #roomMade = false;
  #receiving: Promise<Receiver | undefined> | undefined;

  /** Remembers something for the end; `needed` says that what it is about is needed until then. */
  add(work: Work, needed: boolean): void {
    this.#all.push({ work, needed });
  }

  /** Where deliveries arrive until the end of the run; undefined if the user offers no address for them. */
  receiver({ callbackUrl, callbackPort = 0 }: Settings): Promise<Receiver | undefined> {
    this.#receiving ??= this.#receive(callbackUrl, callbackPort);
    return this.#receiving;
  }

  async #receive(url: string | undefined, port: number): Promise<Receiver | undefined> {
    if (url === undefined) return undefined;
    const receiver = await startReceiver(url, port);
    this.add(() => receiver.close(), true);
    return receiver;
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
