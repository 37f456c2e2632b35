/** Records how much history each check had when it was last judged. */

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
    const ofCheck = this.#last.get(check) ?? new Map<number, Judgement>();
    this.#last.set(check, ofCheck.set(round, judgement));
  }

  get all(): Iterable<Judgement> {
    return [...this.#last.values()].flatMap((ofCheck) => [...ofCheck.values()]);
  }

  roundsOf(check: string): number[] {
    return [...(this.#last.get(check)?.keys() ?? [])];
  }
}
