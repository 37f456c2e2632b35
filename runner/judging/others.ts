/** Judges the traffic of other clients. Unknown writers may explain most violations. */

import type { Check } from "../../client/check.ts";
import {
  type Entry,
  type Head,
  isAccepted,
  isOrdinary,
  isRejected,
  responseJson,
} from "../../history/entry.ts";
import { type ForeignOptions, ForeignTraffic } from "../../history/foreign/entries.ts";
import type { ForeignExchange } from "../../history/foreign/exchange.ts";
import { withoutDuplicates } from "../../history/foreign/order.ts";
import { tagsOfOthers } from "../../history/foreign/tags.ts";
import { History } from "../../history/history.ts";
import { isProvenViolation, type RuleResult, type Violation } from "../../history/result.ts";
import { keptIn } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { type Found, type ShownViolation, shownViolation } from "./found.ts";
import { Tally } from "./judged-report.ts";
import type { TrafficRedaction } from "./traffic-redaction.ts";

export interface OthersOptions extends ForeignOptions {
  /** True if the files hold all traffic. */
  isWhole: boolean;
}

export class OthersTraffic {
  readonly tally = new Tally();
  readonly #traffic: ForeignTraffic;
  readonly #isWhole: boolean;
  readonly #found: Map<Check, Found>;
  duplicates = 0;
  left = 0;

  constructor(
    private readonly spec: Spec,
    private readonly checks: readonly Check[],
    private readonly redaction: TrafficRedaction,
    options: OthersOptions,
  ) {
    this.#traffic = new ForeignTraffic(spec, options);
    this.#isWhole = options.isWhole;
    this.#found = new Map(this.checks.map((check) => [check, { check, held: 0, violated: 0 }]));
  }

  get base(): string | undefined {
    return this.#traffic.base;
  }

  get found(): Found[] {
    return [...this.#found.values()].map(({ check, ...rest }) => ({
      check,
      ...this.redaction.value(rest),
    }));
  }

  /** Judges one part of the traffic. Returns the rules that it violates for the first time. */
  judge(part: readonly ForeignExchange[]): Found[] {
    const history = this.#take(part);
    for (const entry of history.entries) this.tally.add(entry);
    const all = [...this.#found.values()];
    const before = new Set(all.filter(({ violated }) => violated > 0));
    const again = this.#isWhole ? new ShownAgain(history) : undefined;
    for (const found of all) this.#add(found, history, again);
    return all.filter((found) => found.violated > 0 && !before.has(found));
  }

  /** Returns the history of this part of the traffic. On return, raw exchanges are freed. */
  #take(part: readonly ForeignExchange[]): History {
    const { exchanges, left } = withoutDuplicates(part);
    const { head, entries } = this.#traffic.history(exchanges);
    this.duplicates += left;
    this.left += exchanges.length - entries.length;
    return this.#history(head, entries);
  }

  preview(all: readonly ForeignExchange[]): Found[] {
    const { head, entries } = this.#traffic.history(withoutDuplicates(all).exchanges);
    const history = this.#history(head, entries);
    const found = this.checks.map((check) => ({ check, held: 0, violated: 0 }));
    for (const each of found) this.#add(each, history);
    return found.filter(({ violated }) => violated > 0);
  }

  #history(head: Head, entries: Entry[]): History {
    const clean = this.redaction.clean(head, entries);
    const history = new History(this.spec, clean.head, clean.entries);
    if (!this.#isWhole) return history;
    return new History(this.spec, { ...clean.head, tags: tagsOfOthers(history) }, clean.entries);
  }

  #add(found: Found, history: History, again?: ShownAgain): void {
    const result = found.check.verdict(history);
    if (result) addResult(found, again?.settled(found.check, result) ?? result, this.#isWhole);
  }
}

/** Adds the result of a rule to the results for the traffic. Requests that the rule still asks for count as missing. */
function addResult(found: Found, result: RuleResult, isWhole: boolean): void {
  switch (result.outcome) {
    case "held":
      found.held += result.times;
      return;
    case "noted":
      found.held += result.evidence.length;
      return;
    case "not-exercised":
      found.unexercised ??= { reason: result.reason, message: result.message };
      return;
    // Judging sends nothing, so the cause stays unknown.
    case "excused":
      addResult(found, result.otherwise, isWhole);
      return;
    case "unsteady":
      return;
    case "violated": {
      const proven = result.violations.filter((violation) => isProvenHere(violation, isWhole));
      found.violated += proven.length;
      const [first] = proven;
      if (first) found.violation = shorterOf(found.violation, shownViolation(first));
      else found.suspicion ??= shownViolation(result.violations[0]);
    }
  }
}

function shorterOf(one: ShownViolation | undefined, other: ShownViolation): ShownViolation {
  const size = (violation: ShownViolation) => JSON.stringify(violation).length;
  return one && size(one) <= size(other) ? one : other;
}

/** True if the traffic proves it. If unknown clients may write, one answer must, and no rejection does. */
function isProvenHere(
  { certainty, shownBy, holdsAmongOthers = false }: Violation,
  isWhole: boolean,
): boolean {
  if (certainty !== "proven") return false;
  if (isWhole || holdsAmongOthers) return true;
  const offending = shownBy.at(-1)?.entry;
  return (
    offending !== undefined && !isRejected(offending) && shownBy.every(({ entry }) => entry === offending)
  );
}

export class ShownAgain {
  readonly #beginnings = new Map<number, History>();

  constructor(private readonly history: History) {}

  /** Returns the result, with suspected violations settled by what came later. */
  settled(check: Check, result: RuleResult): RuleResult {
    if (result.outcome !== "violated" || isProvenViolation(result)) return result;
    const later = result.violations.reduce((one, other) => (beginOf(other) > beginOf(one) ? other : one));
    const before = check.verdict(this.#beginning(beginOf(later)));
    if (before?.outcome !== "violated") return result;
    const both = [...before.violations, later];
    const entries = both.flatMap(({ shownBy }) => shownBy.map(({ entry }) => entry));
    if (!entries.every((entry) => this.#isOwnAnswer(entry))) return result;
    return { outcome: "violated", violations: [{ ...later, certainty: "proven" }] };
  }

  #beginning(length: number): History {
    const { spec, head, entries } = this.history;
    return keptIn(this.#beginnings, length, () => new History(spec, head, entries.slice(0, length)));
  }

  /** False if a firewall (no JSON) or a lasting quota (nothing accepted later) may have rejected it. */
  #isOwnAnswer(offending: Entry): boolean {
    if (!isRejected(offending)) return true;
    const { head, entries } = this.history;
    const isAcceptedAgain = entries.some(
      (entry) =>
        entry.operation === offending.operation &&
        entry.begun > offending.ended &&
        isAccepted(entry) &&
        isOrdinary(entry, head),
    );
    return isAcceptedAgain && responseJson(offending) !== undefined;
  }
}

function beginOf({ shownBy }: Violation): number {
  return Math.min(...shownBy.map(({ entry }) => entry.index));
}
