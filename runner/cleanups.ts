/** What a run leaves for its end: above all, to switch off again what it has switched on. */

import { switchesOn } from "../client/deactivation.ts";
import { startReceiver } from "../client/sending/receiver.ts";
import type { Receiver, Target } from "../client/target.ts";
import type { CheckResult } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import { ActiveResources } from "./active-resources.ts";
import { isRefusal } from "./confirm.ts";

/** Milliseconds that calls which were given up may still take to be done. */
const STILL_ON_THE_WAY = 500;

type Work = () => Promise<void>;

export class Cleanups {
  readonly active = new ActiveResources();
  readonly #atEnd: Work[] = [];
  #roomMade = false;
  #receiving: Promise<Receiver | undefined> | undefined;

  /** Remembers something for the end. */
  add(work: Work): void {
    this.#atEnd.push(work);
  }

  /** Where deliveries arrive until the end of the run; undefined if the user offers no address for them. */
  receiver({ callbackUrl, callbackPort = 0 }: Settings): Promise<Receiver | undefined> {
    this.#receiving ??= this.#receive(callbackUrl, callbackPort);
    return this.#receiving;
  }

  async #receive(url: string | undefined, port: number): Promise<Receiver | undefined> {
    if (url === undefined) return undefined;
    const receiver = await startReceiver(url, port);
    this.add(() => receiver.close());
    return receiver;
  }

  /** Does all that is left; where `hasLost`, also for what calls made of which no answer came. Never fails. */
  async finish(target: Target, hasLost: () => boolean): Promise<void> {
    await this.active.switchOff(target, { needed: true });
    if (hasLost()) {
      await target.pause(STILL_ON_THE_WAY);
      await this.active.findOthers(target).catch(() => undefined);
      await this.active.switchOff(target, { needed: true });
    }
    await Promise.allSettled(this.#atEnd.splice(0).map((work) => work()));
  }

  /**
   * Before something is tried again that was refused, and would have been active: does what may be done early, as a
   * service may have room for so many active ones only. Whether there is more room than there was.
   */
  async makeRoom(target: Target, { operation: key, ...found }: CheckResult): Promise<boolean> {
    const operation = target.spec.operations.find((each) => each.key === key);
    const body = found.evidence.at(-1)?.request.body ?? null;
    if (!operation || !isRefusal(found) || !switchesOn(target, operation, body)) return false;
    const early = await this.active.switchOff(target, { needed: false });
    this.#roomMade ||= early > 0;
    return this.#roomMade;
  }
}
