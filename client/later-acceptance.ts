/**
 * A rejection counts only if a later request is accepted: an exhausted quota or expired token rejects
 * everything.
 */

import type { Operation } from "../spec/model/spec.ts";

export class LaterAcceptance {
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
      const askers = this.#rejected.get(key) ?? new Map<string, number>();
      this.#rejected.set(key, askers.set(asker, this.#moment));
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
