/**
 * A rejection is compared with a valid request that was accepted before it. But a service may accept nothing any
 * more, because a quota or a token has run out. So a rejection counts only if something was accepted after it, too.
 */

import type { Operation } from "../spec/model/spec.ts";

/** By operation: the checks that were rejected since the operation last accepted something. */
export class LaterAcceptance {
  #moment = 0;
  #acceptedAnywhere = 0;
  readonly #accepted = new Map<string, number>();
  /** By operation, then check: the moment of the latest rejection. */
  readonly #rejected = new Map<string, Map<string, number>>();

  /** Records the status of an answer. */
  see({ key }: Operation, status: number, check: string): void {
    this.#moment++;
    if (status >= 200 && status < 300) {
      this.#acceptedAnywhere = this.#moment;
      this.#accepted.set(key, this.#moment);
    } else if (status >= 400 && status < 500) {
      const checks = this.#rejected.get(key) ?? new Map<string, number>();
      this.#rejected.set(key, checks.set(check, this.#moment));
    }
  }

  /** True if an operation has accepted something and only rejected since. */
  isOpen({ key }: Operation): boolean {
    return this.#accepted.has(key) && this.rejectedSinceAccepted(key).length > 0;
  }

  /** Ids of the checks that an operation rejected since it last accepted anything. */
  rejectedSinceAccepted(key: string): string[] {
    return this.#since(key, this.#accepted.get(key) ?? 0);
  }

  /** Ids of the checks that were rejected since the service last accepted anything. */
  rejectedAtLast(): string[] {
    return [...this.#rejected.keys()].flatMap((key) => this.#since(key, this.#acceptedAnywhere));
  }

  #since(key: string, moment: number): string[] {
    return [...(this.#rejected.get(key) ?? [])].filter(([, at]) => at > moment).map(([check]) => check);
  }
}
