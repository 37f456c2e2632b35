import type { Check } from "../client/check.ts";
import type { Recorder } from "../client/sending/recording.ts";
import type { Delivery, Entry, Head } from "../history/entry.ts";
import { History } from "../history/history.ts";
import type { Judgement } from "../history/lines.ts";
import { isProven, type RuleResult } from "../history/result.ts";
import { keptIn } from "../spec/memoized.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { provenBy } from "../suites/responses/judging.ts";

export class Histories {
  readonly head: Head;
  readonly #known = new Map<number, History>();
  #lastJudged: History | undefined;
  readonly judgements = new Judgements();

  constructor(
    private readonly spec: Spec,
    settings: Settings,
    runTag: string,
    private readonly recorder: Pick<Recorder, "entries" | "deliveries">,
  ) {
    const { space, secondSpace, fixtures, seed, visibilityDelay: consistencyTimeoutMs } = settings;
    const spaces = secondSpace === undefined ? [space] : [space, secondSpace];
    this.head = { runTag, consistencyTimeoutMs, spaces, fixtures, seed };
  }

  *judging(check: string): Generator<History> {
    yield this.lastJudged;
    for (const round of this.judgements.roundsOf(check)) yield this.of(round);
  }

  /** Returns the history up to now, as the rules of this round see it. */
  of(round: number, check?: string): History {
    const { entries: context, deliveries } = this.recorder;
    const history = this.#of(round, context, deliveries);
    if (check === undefined) return history;
    this.judgedNow(check, round);
    if (round === 1) this.#lastJudged = history;
    return history;
  }

  get lastJudged(): History {
    return this.#lastJudged ?? this.of(1);
  }

  #of(round: number, context: readonly Entry[], deliveries: readonly Delivery[]): History {
    const known = this.#known.get(round);
    if (known?.context.length === context.length && known.deliveries.length === deliveries.length)
      return known;
    const entries = context.filter((entry) => entry.round === round);
    const history = new History(this.spec, this.head, entries, [...context], [...deliveries]);
    this.#known.set(round, history);
    return history;
  }

  /** Returns what all confirmations sent, as one history. Deliveries do not say which round caused them. */
  ofConfirmations(): History {
    const { entries } = this.recorder;
    const later = entries.filter(({ round }) => round > 1);
    return new History(this.spec, this.head, later, [...entries]);
  }

  judgedNow(check: string, round: number): void {
    const { entries, deliveries } = this.recorder;
    this.judgements.add({ check, round, entries: entries.length, deliveries: deliveries.length });
  }

  provenBy(entry: Entry): { requirement: string; operation: string }[] {
    const answer = this.of(entry.round).answers.answerIn(entry);
    if (!answer) return [];
    return provenBy(this.spec, answer)
      .filter((requirement) => this.spec.requirements.get(requirement)?.level === "MUST")
      .map((requirement) => ({ requirement, operation: answer.operation.key }));
  }
}

/**
 * Returns the checks whose violation is proven by answers of a confirmation, although the check was not the one to
 * be confirmed. The judgements of the history say where each violation shows.
 */
export function provenLater(checks: readonly Check[], histories: Histories) {
  const all = histories.ofConfirmations();
  if (all.entries.length === 0) return [];
  return checks.flatMap((check) => {
    // A judgement names one round, so a round must show the violation alone.
    for (const round of roundsWithProof(check.verdict(all))) {
      const verdict = check.verdict(histories.of(round));
      if (roundsWithProof(verdict).length === 0) continue;
      histories.judgedNow(check.id, round);
      return [{ check, verdict }];
    }
    return [];
  });
}

function roundsWithProof(verdict: RuleResult): number[] {
  if (verdict.outcome !== "violated") return [];
  const shownBy = verdict.violations.filter(isProven).flatMap((violation) => violation.shownBy);
  return [...new Set(shownBy.map(({ entry }) => entry.round))].filter((round) => round > 1);
}

/** The last judgement of each check in each round. */
class Judgements {
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
