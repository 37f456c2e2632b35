/** Server errors of which nobody knows yet whether they stay: those that an equal request did not get, and those of races. */

import { type Answer, isUnavailable, type SeenFault } from "../client/target.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Operation } from "../spec/model/spec.ts";

export class PassingErrors {
  /** By operation: a server error that did not stay, and the answer that came instead. */
  readonly #passing = new Map<string, Exchange[]>();
  /** By operation and check: the first server error of its race, and the tries in which there was one. */
  readonly #raced = new Map<string, Map<string, { fault: SeenFault; attempts: Set<number> }>>();

  /** The first server error at an operation that did not stay, and what came instead. */
  passing({ key }: Operation): Exchange[] | undefined {
    return this.#passing.get(key);
  }

  /** The first server error at an operation in the midst of simultaneous calls. */
  raced({ key }: Operation): SeenFault | undefined {
    const [first] = this.#raced.get(key)?.values() ?? [];
    return first?.fault;
  }

  /** Takes note of a server error that an equal request did not get again. */
  seePassing(error: Answer, instead: Answer): void {
    const { key } = error.plan.operation;
    if (!this.#passing.has(key))
      this.#passing.set(key, [{ ...error.exchange, offending: "status" }, instead.exchange]);
  }

  /**
   * Takes note of a server error among simultaneous calls, in try number `attempt` of a check or probe. They can't be
   * sent again one by one, so what shows in both tries is a violation; returns whether it does. Errors in two different
   * checks may be two accidents, and a gateway in front of a service that is being replaced may answer any call.
   */
  seeRaced(answer: Answer, check: string, attempt: number): boolean {
    const { operation } = answer.plan;
    if (isUnavailable(answer)) {
      if (!this.#passing.has(operation.key))
        this.#passing.set(operation.key, [{ ...answer.exchange, offending: "status" }]);
      return false;
    }
    const races =
      this.#raced.get(operation.key) ?? new Map<string, { fault: SeenFault; attempts: Set<number> }>();
    this.#raced.set(operation.key, races);
    const race = races.get(check) ?? {
      fault: {
        requirement: "NO-SERVER-ERROR",
        expected: "no server error",
        actual: `status ${answer.status}`,
        evidence: [{ ...answer.exchange, offending: "status" }],
        check,
      },
      attempts: new Set<number>(),
    };
    races.set(check, race);
    race.attempts.add(attempt);
    return race.attempts.size > 1;
  }
}
