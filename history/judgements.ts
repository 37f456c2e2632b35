/** Records how much history each check had when it was last judged. */
import { keptIn } from "../spec/memoized.ts";

export interface Judgement {
  check: string;
  round: number;
  entries: number;
  deliveries: number;
}

export class Judgements {
  readonly #last = new Map<string, Map<number, Judgement>>();

  add(judgement: Judgement): void {
    const { check, round } = judgement;
    keptIn(this.#last, check, () => new Map<number, Judgement>()).set(round, judgement);
  }

  get all(): Iterable<Judgement> {
    return [...this.#last.values()].flatMap((ofCheck) => [...ofCheck.values()]);
  }

  roundsOf(check: string): number[] {
    return [...(this.#last.get(check)?.keys() ?? [])];
  }
}
