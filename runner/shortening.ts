/**
 * Reports findings with the shortest history that shows them, within a limit of requests for the whole run.
 */

import { type Check, Violation } from "../client/check.ts";
import { isReference } from "../client/relations.ts";
import type { Target } from "../client/target.ts";
import type { History } from "../history/history.ts";
import { violationIn } from "../history/result.ts";
import { reproduction } from "../reports/curl.ts";
import type { CheckResult, Exchange } from "../spec/model/result.ts";
import type { Connection } from "./connection.ts";
import type { Histories } from "./histories.ts";
import { type Shrinking, type Shrunk, shrink } from "./shrinking.ts";

const MOST_REQUESTS = 180;

export class Shortening {
  readonly #connection: Connection;
  readonly #histories: Histories;
  #asked = 0;
  readonly #target: (check: Check) => { target: Target; round: number };

  constructor(
    connection: Connection,
    histories: Histories,
    target: (check: Check) => { target: Target; round: number },
  ) {
    this.#connection = connection;
    this.#histories = histories;
    this.#target = target;
  }

  /**
   * The finding with the shortest history; unchanged if none shorter was found within the limits. An unsteady
   * or excused violation becomes a finding if its history shows it again and again.
   */
  async of(check: Check, found: CheckResult): Promise<CheckResult> {
    const judged = this.#asked < MOST_REQUESTS ? this.#found(check) : undefined;
    if (!judged) return found;
    const { recorder } = this.#connection;
    const before = recorder.entries.length;
    const isUnsteady = !["fail", "warn"].includes(found.outcome);
    const shrinking: Shrinking = {
      history: judged.history,
      target: () => {
        const { target, round } = this.#target(check);
        return { target, entries: () => recorder.entries.filter((entry) => entry.round === round) };
      },
      planOf: (entry) => recorder.evidenceOf(entry).outgoing.plan,
      isCommonKnowledge: ({ operation }) => operation !== null && isReference(judged.history.spec, operation),
    };
    const { violation, isExcused } = judged;
    const shrunk = await shrink(check, violation, shrinking, { isUnsteady, isExcused });
    this.#asked += recorder.entries.length - before;
    if (!shrunk) return found;
    const [{ round } = { round: 1 }] = shrunk.entries;
    // Judging the written history again needs the round that confirmed the violation.
    if (isUnsteady)
      this.#histories.judgements.add({ check: check.id, round, entries: recorder.entries.length });
    return this.#withHistory(found, shrunk);
  }

  /** The first history that shows the violation; undefined if none does. */
  #found({
    verdict,
  }: Check): { history: History; violation: Shrunk["violation"]; isExcused: boolean } | undefined {
    for (const history of this.#histories.all()) {
      const result = verdict?.(history);
      const violation = violationIn(result);
      if (violation) return { history, violation, isExcused: result?.outcome === "excused" };
    }
    return undefined;
  }

  #withHistory(found: CheckResult, { entries, violation }: Shrunk): CheckResult {
    const places = new Map(violation.shownBy.map(({ entry, offending }) => [entry, offending]));
    const evidence = entries.map((entry): Exchange => {
      const place = places.get(entry);
      return { ...this.#connection.exchangeOf(entry), ...(place === undefined ? {} : { offending: place }) };
    });
    const { expected, actual, difference } = violation;
    const curl = reproduction({ evidence });
    return {
      ...found,
      outcome: found.level === "MUST" ? "fail" : "warn",
      message: new Violation(expected, actual).message,
      expected,
      actual,
      ...(difference === undefined ? {} : { difference }),
      evidence,
      ...(found.reproduce && curl !== undefined ? { reproduce: { ...found.reproduce, curl } } : {}),
    };
  }
}
