/** A rejection proves nothing if the operation accepts nothing later. */

import { Call } from "../../client/call.ts";
import { withResourceReadLock } from "../../client/controls.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, isRejected, type Target } from "../../client/target.ts";
import { likelyComplete } from "../../client/undocumented.ts";
import { isAcceptedAfterRead } from "../../client/update-quotas.ts";
import { keptIn } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import { actOnNew } from "../../suites/shared/made-resource.ts";

/** Finds rejections without a later acceptance: an exhausted quota or expired token rejects everything. */
class LaterAcceptance {
  #moment = 0;
  #acceptedAnywhere = 0;
  readonly #accepted = new Map<string, number>();
  readonly #rejected = new Map<string, Map<string, number>>();

  /** Notes the status of an answer to the operation, and the probe that asked. */
  see({ key }: Operation, status: number, asker: string): void {
    this.#moment++;
    if (status >= 200 && status < 300) {
      this.#acceptedAnywhere = this.#moment;
      this.#accepted.set(key, this.#moment);
    } else if (status >= 400 && status < 500) {
      keptIn(this.#rejected, key, () => new Map<string, number>()).set(asker, this.#moment);
    }
  }

  isOpen({ key }: Operation): boolean {
    return this.#accepted.has(key) && this.rejectedSinceAccepted(key).length > 0;
  }

  rejectedSinceAccepted(key: string): string[] {
    return this.#since(key, this.#accepted.get(key) ?? 0);
  }

  rejectedAtLast(): string[] {
    return [...this.#rejected.keys()].flatMap((key) => this.#since(key, this.#acceptedAnywhere));
  }

  #since(key: string, moment: number): string[] {
    return [...(this.#rejected.get(key) ?? [])].filter(([, at]) => at > moment).map(([asker]) => asker);
  }
}

export class Rejections {
  readonly #later = new LaterAcceptance();
  readonly #unproven = new Map<string, string>();
  readonly #declined = new Set<string>();
  #isLockedOut = false;

  get unproven(): Record<string, string> {
    return Object.fromEntries(this.#unproven);
  }

  see(operation: Operation, status: number, asker: string, valid = false): void {
    this.#later.see(operation, status, asker);
    if (!valid || status < 400 || status >= 500) return;
    this.#declined.add(operation.key);
    this.#isLockedOut ||= status === 401;
  }

  /** True if a valid request was rejected here, or anywhere with a 401. */
  isDeclining({ key }: Pick<Operation, "key">): boolean {
    return this.#isLockedOut || this.#declined.has(key);
  }

  end(why: string): void {
    for (const asker of this.#later.rejectedAtLast()) this.#unproven.set(asker, why);
  }

  async askOnceMore(target: Target, isOver: () => boolean): Promise<void> {
    const { notOffered = [] } = target.settings;
    const open = target.spec.operations.filter(
      (operation) => this.#later.isOpen(operation) && !notOffered.includes(operation.key),
    );
    if (!isOver()) await Promise.all(open.map((operation) => this.#askAgain(target, operation)));
  }

  /** Asks for the operation once more: only accepted requests prove that the rejections had their cause. */
  async #askAgain(target: Target, operation: Operation): Promise<void> {
    const rejected = this.#later.rejectedSinceAccepted(operation.key);
    try {
      const fresh = await new Call(target, operation).fresh();
      const plan = isUndocumented(operation) ? likelyComplete(target, fresh) : fresh;
      const answer = await withResourceReadLock(target, operation, () => sendBody(target, plan, "probe"));
      if (!isRejected(answer) || (await isAcceptedAfterRead(target, plan))) return;
      // A service may accept an action once for each resource.
      const onNew = await actOnNew(new Call(target, operation));
      if (onNew && isAccepted(onNew.answer)) return;
      const why = `a valid ${operation.key} was answered ${answer.status} after it, so the rejection proves nothing`;
      for (const asker of rejected) this.#unproven.set(asker, why);
    } catch {
      // An error here must not prevent the report.
    }
  }
}
