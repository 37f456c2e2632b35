/** Server errors of which nobody knows yet whether they stay: those that an equal request did not get, and those of races. */

import type { Answer, SeenFault } from "../client/target.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Operation } from "../spec/model/spec.ts";

export class PassingErrors {
  /** By operation: a server error that did not stay, and the answer that came instead. */
  readonly #passing = new Map<string, Exchange[]>();
  /** By operation: the races in which it answered with a server error, each with the first. */
  readonly #raced = new Map<string, Map<string, SeenFault>>();

  /** The first server error at an operation that did not stay, and what came instead. */
  passing({ key }: Operation): Exchange[] | undefined {
    return this.#passing.get(key);
  }

  /** The first server error at an operation in the midst of simultaneous calls. */
  raced({ key }: Operation): SeenFault | undefined {
    const [first] = this.#raced.get(key)?.values() ?? [];
    return first;
  }

  /** Takes note of a server error that an equal request did not get again. */
  seePassing(error: Answer, instead: Answer): void {
    const { key } = error.plan.operation;
    if (!this.#passing.has(key))
      this.#passing.set(key, [{ ...error.exchange, offending: "status" }, instead.exchange]);
  }

  /**
   * Takes note of a server error in a race: try number `attempt` of a check. A race can't be asked again like a single
   * request, so what shows in two of them is a fault; whether it does.
   */
  seeRaced(answer: Answer, check: string, attempt: number): boolean {
    const { operation } = answer.plan;
    const races = this.#raced.get(operation.key) ?? new Map<string, SeenFault>();
    this.#raced.set(operation.key, races);
    const race = `${attempt} ${check}`;
    if (!races.has(race)) {
      races.set(race, {
        requirement: "NO-SERVER-ERROR",
        expected: "no server error",
        actual: `status ${answer.status}`,
        evidence: [{ ...answer.exchange, offending: "status" }],
        check,
      });
    }
    return races.size > 1;
  }
}
