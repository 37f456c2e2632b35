import { type Check, unlessNotTested } from "../../client/check.ts";
import type { Target } from "../../client/target.ts";
import { type Entry, type Head, isAccepted, isWrite, objectSent } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import { violationIn, violationMessage } from "../../history/result.ts";
import { reproduction } from "../../reports/formats/curl.ts";
import type { CheckResult, Exchange } from "../../spec/model/result.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { type OneWay, oneWays } from "../../suites/cancellation/targets.ts";
import type { Cleanups } from "../cleanups.ts";
import type { Connection } from "../connection.ts";
import type { Histories } from "../histories.ts";
import { isViolated } from "../judge.ts";
import { recordedPlan } from "../planning/recorded-plan.ts";
import type { Resending, ShownHistory } from "./attempts.ts";
import { declinedResult, isRejectedForActiveQuota } from "./excused.ts";
import { sendAllAgain, shortestHistory } from "./shortest-history.ts";
import { stepsOf } from "./steps.ts";

const MOST_REQUESTS = 180;

export interface RecordedFinding {
  head: Head;
  entries: Entry[];
}

export class Shortening {
  #asked = 0;

  constructor(
    private readonly connection: Connection,
    private readonly histories: Histories,
    private readonly cleanups: Cleanups,
    private readonly target: (check: Check) => { target: Target; round: number },
  ) {}

  /** Returns the finding with the shortest history that shows it. `replayed` is the finding of an earlier run. */
  async shortened(
    check: Check,
    found: CheckResult,
    target: Target,
    replayed: RecordedFinding | undefined,
  ): Promise<CheckResult> {
    if (isViolated(found)) {
      // The confirmation may have used up a quota of active resources.
      const isPerhapsFull = await this.cleanups.freeActiveQuota(target, found);
      if (isPerhapsFull && (await this.#isAcceptedAlone(check))) return declinedResult(check, target);
      return this.#of(check, found);
    }
    const shown = replayed ? await this.#replayed(check, found, replayed) : await this.#of(check, found);
    if (shown === found) return found;
    // Without an answer, a quota may be the reason.
    const isFull = await unlessNotTested(() => isRejectedForActiveQuota(check, shown, target, true));
    return isFull === false ? shown : found;
  }

  /**
   * Returns the result with the shortest history that shows it. An unsteady or excused violation becomes a
   * finding if its shortest history shows it repeatedly.
   */
  async #of(check: Check, found: CheckResult): Promise<CheckResult> {
    const judged = this.#asked < MOST_REQUESTS ? this.#found(check) : undefined;
    if (!judged) return found;
    const { recorder } = this.connection;
    const before = recorder.entries.length;
    const isUnsteady = !isViolated(found);
    const resending = this.#resending(check, judged.history);
    const { violation, isExcused } = judged;
    const shown = await shortestHistory(check, violation, resending, { isUnsteady, isExcused });
    this.#asked += recorder.entries.length - before;
    if (!shown) return found;
    const [{ round } = { round: 1 }] = shown.entries;
    if (isUnsteady) this.histories.judgedNow(check.id, round);
    return this.#withHistory(found, shown);
  }

  async #replayed(
    check: Check,
    result: CheckResult,
    { head, entries }: RecordedFinding,
  ): Promise<CheckResult> {
    const { spec, settings } = this.target(check).target;
    const history = new History(spec, this.histories.head, entries);
    const planOf = (entry: Entry) => recordedPlan(entry, head, settings);
    const shown = await sendAllAgain(check, this.#resending(check, history, planOf));
    return shown ? this.#withHistory(result, shown) : result;
  }

  async #isAcceptedAlone(check: Check): Promise<boolean> {
    const judged = this.#found(check);
    if (!judged) return false;
    const { core, offending } = stepsOf(judged.violation, judged.history);
    const { recorder } = this.connection;
    const before = recorder.entries.length;
    const history = new History(judged.history.spec, this.histories.head, core);
    await sendAllAgain(check, this.#resending(check, history));
    const again = recorder.entries.slice(before);
    this.#asked += again.length;
    const last = again.findLast(({ operation }) => operation === offending?.operation);
    return last !== undefined && isAccepted(last);
  }

  #resending(check: Check, history: History, planOf?: Resending["planOf"]): Resending {
    const { recorder } = this.connection;
    return {
      history,
      target: () => {
        const { target, round } = this.target(check);
        return { target, entries: () => recorder.entries.filter((entry) => entry.round === round) };
      },
      planOf: planOf ?? ((entry) => recorder.evidenceOf(entry).outgoing.plan),
      known: knownIn(history.spec, this.histories.of(1).entries),
    };
  }

  #found({
    id,
    verdict,
  }: Check): { history: History; violation: ShownHistory["violation"]; isExcused: boolean } | undefined {
    for (const history of this.histories.judging(id)) {
      const result = verdict(history);
      const violation = violationIn(result);
      if (violation) return { history, violation, isExcused: result?.outcome === "excused" };
    }
    return undefined;
  }

  #withHistory({ reason: _, ...found }: CheckResult, { entries, violation }: ShownHistory): CheckResult {
    const places = new Map(violation.shownBy.map(({ entry, offending }) => [entry, offending]));
    const evidence = entries.map((entry): Exchange => {
      const place = places.get(entry);
      return { ...this.connection.exchangeOf(entry), ...(place === undefined ? {} : { offending: place }) };
    });
    const { expected, actual, difference } = violation;
    const curl = reproduction({ evidence });
    return {
      ...found,
      outcome: found.level === "MUST" ? "fail" : "warn",
      message: violationMessage(violation),
      expected,
      actual,
      ...(difference === undefined ? {} : { difference }),
      evidence,
      ...(found.reproduce && curl !== undefined ? { reproduce: { ...found.reproduce, curl } } : {}),
    };
  }
}

/**
 * Returns accepted reads and one-way changes. Reads of updated kinds are left out: without the updates, the
 * resources would seem to change by themselves.
 */
function knownIn(spec: Spec, entries: readonly Entry[]): Entry[] {
  const changes = oneWays(spec);
  const updated = resourceKinds(spec).filter(({ updates }) =>
    entries.some((entry) => entry.operation && updates.includes(entry.operation) && isAccepted(entry)),
  );
  const isOfUpdated = ({ operation }: Entry) => updated.some(({ views }) => views.has(operation?.id ?? ""));
  return entries.filter(
    (entry) =>
      isAccepted(entry) &&
      (isWrite(entry) ? changes.some((change) => isSentIn(entry, change)) : !isOfUpdated(entry)),
  );
}

function isSentIn(entry: Entry, { operation, name }: OneWay): boolean {
  return entry.operation === operation && name in (objectSent(entry) ?? {});
}
