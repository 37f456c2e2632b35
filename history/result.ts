import { definedOnly } from "../spec/defined-only.ts";
import type { OfKind } from "../spec/model/difference.ts";
import type { Note } from "../spec/model/note.ts";
import type { Remedy, SkipReason } from "../spec/model/result.ts";
import { type Entry, statusOf } from "./entry.ts";

/** `offending` is a JSON pointer into the body, or `status`. */
interface ShownBy {
  entry: Entry;
  offending?: string;
}

export interface WrongField {
  name: string;
  shown: unknown;
  /** The create of the resource, if the run made it. */
  made: Entry | null;
  /** The write that gave the field its expected value. */
  setBy: Entry | null;
}

/** A difference in words: the expected value or behaviour, and the one that came. */
export interface Described extends OfKind {
  expected: string;
  actual: string;
}

export interface Violation extends Described {
  certainty: "proven" | "suspected";
  shownBy: ShownBy[];
  wrongField?: WrongField;
  /** True if writes of other clients can't explain the violation. */
  holdsAmongOthers?: boolean;
  notImplemented?: true;
  /** True if only resources older than the consistency timeout show the violation. */
  needsOlderResource?: true;
}

export interface Observed {
  note: Note;
  by: Entry;
}

export type RuleResult =
  | { outcome: "held"; times: number; evidence: Entry[] }
  | { outcome: "violated"; violations: [Violation, ...Violation[]] }
  | { outcome: "not-exercised"; reason: SkipReason; message: string; evidence?: Entry[]; remedy?: Remedy }
  | { outcome: "unsteady"; message: string; shownBy: ShownBy[] }
  /** `otherwise` is the result, unless the run finds a request that causes the violation. */
  | { outcome: "excused"; violation: Violation; otherwise: RuleResult }
  | { outcome: "noted"; notes: Note[]; evidence: Entry[] };

function held(evidence: Entry[]): RuleResult {
  return { outcome: "held", times: evidence.length, evidence };
}

/** Returns the result of a rule that nothing tested, with the reason. */
export function notExercised(
  reason: SkipReason,
  message: string,
  evidence: Entry[] = [],
  remedy?: Remedy,
): RuleResult {
  return { outcome: "not-exercised", reason, message, evidence, ...definedOnly({ remedy }) };
}

/** Returns that nothing was tested for want of a fixture: the missing argument of `--fixture`. */
export function withoutFixture(fixture: string, message: string): RuleResult {
  return notExercised("no-fixture", message, [], { fixture });
}

/** Why nothing was tested if the user named no second space. */
export const NO_SECOND_SPACE = ["no-second-space", "give --second-space to test this"] as const;

/** Returns a suspected violation by the status of the answer. `before` has the entries that explain it. */
export function wrongStatus(expected: string, entry: Entry, before: readonly Entry[] = []): Violation {
  return {
    certainty: "suspected",
    expected,
    actual: `status ${statusOf(entry)}`,
    shownBy: [...before.map((each) => ({ entry: each })), { entry, offending: "status" }],
  };
}

/** Returns the violation that these entries show, some of them at a place. */
export function violationBy(
  certainty: Violation["certainty"],
  described: Described,
  ...shownBy: (Entry | ShownBy)[]
): Violation {
  return { certainty, ...described, shownBy: shownBy.map((by) => ("entry" in by ? by : { entry: by })) };
}

/** Returns each entry once as evidence. `offending` is the place in the wrong one that shows the violation. */
export function asEvidence(
  entries: Iterable<Entry>,
  wrong?: Entry,
  offending?: string,
): Violation["shownBy"] {
  return [...new Set(entries)].map((entry) =>
    entry === wrong && offending !== undefined ? { entry, offending } : { entry },
  );
}

export function violationMessage({ expected, actual }: Pick<Violation, "expected" | "actual">): string {
  return `expected ${expected}, got ${actual}`;
}

export function isProven({ certainty }: Pick<Violation, "certainty">): boolean {
  return certainty === "proven";
}

export function isProvenViolation(result: RuleResult | undefined): boolean {
  return result?.outcome === "violated" && result.violations.some(isProven);
}

/** Returns the first violation, even an excused one. */
export function violationIn(result: RuleResult | undefined): Violation | undefined {
  if (result?.outcome === "violated") return result.violations[0];
  return result?.outcome === "excused" ? result.violation : undefined;
}

/** Violations win over evidence, and evidence over `otherwise`. A text says which data is missing. */
export function judged(
  violations: Violation[],
  evidence: Entry[],
  otherwise: string | RuleResult | (() => RuleResult),
): RuleResult {
  const [first, ...others] = violations;
  if (first) return { outcome: "violated", violations: [first, ...others] };
  if (evidence.length > 0) return held(evidence);
  if (typeof otherwise === "string") return notExercised("no-data", otherwise);
  return typeof otherwise === "function" ? otherwise() : otherwise;
}
