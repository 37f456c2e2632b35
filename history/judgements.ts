/** How much history each check was judged on, so that anybody can repeat the verdict. */

export interface Judgement {
  check: string;
  round: number;
  entries: number;
  deliveries: number;
}

export class Judgements {
  readonly #last = new Map<string, Judgement>();

  add(judgement: Judgement): void {
    this.#last.set(`${judgement.round} ${judgement.check}`, judgement);
  }

  get all(): Iterable<Judgement> {
    return this.#last.values();
  }
}
