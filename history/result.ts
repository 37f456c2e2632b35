/** The result of a rule for a history at one target. */

import type { Note } from "../spec/model/note.ts";
import type { SkipReason } from "../spec/model/result.ts";
import type { Entry } from "./entry.ts";

/** An entry that shows something, and the part at fault: a JSON pointer into the body, or `status`. */
interface ShownBy {
  entry: Entry;
  offending?: string;
}

export interface Violation {
  /**
   * `proven` by one answer, or by two that contradict each other; `suspected` until the same history shows it
   * again.
   */
  certainty: "proven" | "suspected";
  expected: string;
  actual: string;
  /** The exchanges that show it, in their order. */
  shownBy: ShownBy[];
  /** True if the answers contradict each other even if others wrote between them. */
  holdsAmongOthers?: boolean;
}

export type RuleResult =
  | { outcome: "held"; times: number; evidence: Entry[] }
  | { outcome: "violated"; violations: [Violation, ...Violation[]] }
  | { outcome: "not-exercised"; reason: SkipReason; message: string; evidence?: Entry[] }
  /** The violation showed once, and not again when the request was repeated. */
  | { outcome: "unsteady"; message: string; shownBy: ShownBy[] }
  /** The result of a rule that only records. */
  | { outcome: "noted"; notes: Note[]; evidence: Entry[] };

function held(evidence: Entry[]): RuleResult {
  return { outcome: "held", times: evidence.length, evidence };
}

export function notExercised(reason: SkipReason, message: string, evidence: Entry[] = []): RuleResult {
  return { outcome: "not-exercised", reason, message, evidence };
}

/** The result of a rule that only records: its notes, with the exchange that shows the last one. */
export function noted(notes: Note[], entries: readonly Entry[], otherwise: string): RuleResult {
  if (notes.length === 0) return notExercised("no-data", otherwise);
  return { outcome: "noted", notes, evidence: entries.slice(-1) };
}

/**
 * The verdict: violated if there are violations, held if there is evidence, else `otherwise`, which may be a
 * function.
 */
export function judged(
  violations: Violation[],
  evidence: Entry[],
  otherwise: RuleResult | (() => RuleResult),
): RuleResult {
  const [first, ...others] = violations;
  if (first) return { outcome: "violated", violations: [first, ...others] };
  if (evidence.length > 0) return held(evidence);
  return typeof otherwise === "function" ? otherwise() : otherwise;
}
