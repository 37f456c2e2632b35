/** Rules: requests with one fault are rejected. */

import { type Faulty, mustBeRejected } from "../../history/answers/rejections.ts";
import { type Entry, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { Observed, RuleResult } from "../../history/result.ts";
import { type HistoryRule, historyRule, type Rules, type RuleTarget } from "./history-rule.ts";

interface RejectionRule<At extends RuleTarget> extends Omit<HistoryRule<At>, "check" | "observe"> {
  /** Returns the requests that must be rejected. */
  requests(history: History, at: At): Faulty[];
  /** Returns the request as a noun phrase (`GET /webhooks without a token`). */
  describe(entry: Entry, at: At, history: History): string;
  /** Returns the fault as the notes name it. Default: `describe`. */
  tried?(at: At): string;
  /** Judges what else shows the fault. `rejected` is the result for the requests. */
  check?(history: History, at: At, rejected: RuleResult): RuleResult;
}

/** Returns the rule that these requests are rejected. It notes the status of each rejection. */
export function rejectionRule<At extends RuleTarget>(rule: RejectionRule<At>): Rules {
  const { requests, describe, tried, check, ...common } = rule;
  return historyRule<At>({
    ...common,
    check(history, at) {
      const rejected = mustBeRejected(requests(history, at), (entry) => describe(entry, at, history));
      return check?.(history, at, rejected) ?? rejected;
    },
    observe: (history, at) =>
      observedRejections(requests(history, at), (entry) => tried?.(at) ?? describe(entry, at, history)),
  });
}

/** Notes the status of each rejection. */
export function observedRejections(
  requests: readonly Pick<Faulty, "entry">[],
  describe: (entry: Entry) => string,
): Observed[] {
  return requests.map(({ entry: by }) => ({
    by,
    note: {
      requirement: "REJECTION-STATUS",
      operation: by.operation?.key ?? "",
      behaviour: "rejection",
      tried: describe(by),
      answer: { status: statusOf(by) ?? 0 },
    },
  }));
}
