import { switchesOn } from "../client/quotas.ts";
import { startReceiver } from "../client/sending/receiver.ts";
import type { Recorder } from "../client/sending/recording.ts";
import type { Receiver, Target } from "../client/target.ts";
import type { CheckResult } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import { operationWithKey } from "../spec/operations.ts";
import { ActiveResources } from "./active-resources.ts";
import { isRejection } from "./confirming/confirm.ts";

/** Milliseconds in which the service may still carry out aborted requests. */
const STILL_ON_THE_WAY_MS = 500;

type Work = () => Promise<void>;

/** Milliseconds. CI servers kill a run soon after they interrupt it. */
export const LONGEST_CLEAN_UP_MS = 5_000;

export class Cleanups {
  readonly active = new ActiveResources();
  readonly #atEnd: Work[] = [];
  #quotaFreed = false;
  #receiving: Promise<Receiver | undefined> | undefined;

  add(work: Work): void {
    this.#atEnd.push(work);
  }

  receiver(settings: Settings, runTag: string, recorder: Recorder): Promise<Receiver | undefined> {
    this.#receiving ??= this.#receive(settings, runTag, recorder);
    return this.#receiving;
  }

  async #receive(
    { callbackUrl, callbackPort = 0 }: Settings,
    runTag: string,
    recorder: Recorder,
  ): Promise<Receiver | undefined> {
    if (callbackUrl === undefined) return undefined;
    const receiver = await startReceiver({
      url: callbackUrl,
      port: callbackPort,
      runTag,
      received: (delivery) => recorder.received(delivery),
    });
    this.add(() => receiver.close());
    return receiver;
  }

  /** Switches off the resources that the run made active, even if no answer showed them. */
  async finish(target: Target, hasLost: () => boolean): Promise<void> {
    await this.active.switchOff(target, { needed: true });
    if (hasLost()) {
      await target.pause(STILL_ON_THE_WAY_MS);
      await this.active.findOthers(target).catch(() => undefined);
      await this.active.switchOff(target, { needed: true });
    }
    await Promise.allSettled(this.#atEnd.splice(0).map((work) => work()));
  }

  /** Frees a quota of active resources that may explain the rejection. True if it was ever freed. */
  async freeActiveQuota(target: Target, { operation: key, ...found }: CheckResult): Promise<boolean> {
    const operation = operationWithKey(target.spec, key);
    const body = found.evidence.at(-1)?.request.body ?? null;
    if (!operation || !isRejection(found) || !switchesOn(target, operation, body)) return false;
    const early = await this.active.switchOff(target, { needed: false });
    this.#quotaFreed ||= early > 0;
    return this.#quotaFreed;
  }
}
