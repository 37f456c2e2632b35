import type { Entry, Head } from "../history/entry.ts";
import { History } from "../history/history.ts";
import { Judgements } from "../history/judgements.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { provenBy } from "../suites/responses/judging.ts";

export class Histories {
  readonly #spec: Spec;
  readonly head: Head;
  readonly #entries: readonly Entry[];
  readonly #known = new Map<number, History>();
  readonly judgements = new Judgements();

  constructor(spec: Spec, settings: Settings, runTag: string, entries: readonly Entry[]) {
    const { space, secondSpace, fixtures, seed, visibilityDelay: consistencyTimeoutMs } = settings;
    const spaces = secondSpace === undefined ? [space] : [space, secondSpace];
    this.#spec = spec;
    this.head = { runTag, consistencyTimeoutMs, spaces, fixtures, seed };
    this.#entries = entries;
  }

  all(): History[] {
    const rounds = new Set(this.#entries.map(({ round }) => round));
    return [...rounds].map((round) => this.of(round));
  }

  /**
   * The history of a round; the first round is 1. If `check` is given, that check is judged at this moment.
   */
  of(round: number, check?: string): History {
    if (check !== undefined) this.judgements.add({ check, round, entries: this.#entries.length });
    const known = this.#known.get(round);
    if (known?.context.length === this.#entries.length) return known;
    const entries = this.#entries.filter((entry) => entry.round === round);
    const history = new History(this.#spec, this.head, entries, [...this.#entries]);
    this.#known.set(round, history);
    return history;
  }

  /** MUST requirements that the answer alone proves to be violated. */
  provenBy(entry: Entry): { requirement: string; operation: string }[] {
    const answer = this.of(entry.round).answers.in(entry);
    if (!answer) return [];
    return provenBy(this.#spec, answer)
      .filter((requirement) => this.#spec.requirements.get(requirement)?.level === "MUST")
      .map((requirement) => ({ requirement, operation: answer.operation.key }));
  }
}
