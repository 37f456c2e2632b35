/** What a check is: a value that says what it tries, and a function that tries it. */

import type { RejectionCause } from "../spec/model/profile.ts";
import type { Exchange, SkipReason } from "../spec/model/result.ts";
import type { Spec } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

/**
 * When a check runs. Checks of one stage run at the same time; stages follow each other, so that what the suite
 * itself writes never moves a list that it is reading.
 */
export const STAGES = ["prepare", "repeat", "read", "write", "burst", "finish"] as const;
export type Stage = (typeof STAGES)[number];

/** Stages whose checks measure what others would disturb: of these, one check at a time. */
export const ONE_BY_ONE: readonly Stage[] = ["burst", "finish"];

export interface Check {
  /** Suite, requirement, operation, constraint and version: stable, never a position or a counter. */
  id: string;
  /** A sentence for people: what is tried. */
  title: string;
  suite: string;
  requirements: string[];
  /** `METHOD path` as section 4 of the specification writes it. */
  operation: string;
  /** The value of the version header that the check sends; null for none, or for no one in particular. */
  serviceVersion: string | null;
  /** Whether the check is one of several that differ in the version header alone. */
  versioned: boolean;
  /** For checks of which depth quick tries one and leaves the others to other seeds: the id that they share. */
  rotation?: string;
  /** What the seed draws the version by, where checks that share a story are to be tried under the same one. */
  draw?: string;
  stage: Stage;
  /** Whether trying it sends a POST or PATCH; such a check is skipped in a read-only run. */
  writes: boolean;
  /** Whether trying it uses up what the user gave for it: it is then not tried again, whatever it shows. */
  consumes?: boolean;
  /** What its probes give the service cause to reject, where they do; what a profile names statuses for. */
  cause?: RejectionCause;
  run(target: Target): Promise<void>;
}

/** Derives checks from a Spec; each suite exports one. */
export type Suite = (spec: Spec) => Check[];

/** The smallest input that a property found to show a fault, and fast-check's path back to it. */
export interface Counterexample {
  path: string;
  value: unknown;
}

/**
 * The service broke the requirement that the check is for. What one answer proves by itself (its shape, its count, a
 * limit that it exceeds) is `certain`; anything else is a suspect until the check, tried again from scratch, shows it
 * once more.
 */
export class Violation extends Error {
  override name = "Violation";
  readonly expected: string;
  readonly actual: string;
  readonly evidence: Exchange[];
  readonly counterexample: Counterexample | undefined;
  /** Ids of the checks whose requests showed it, when they were not this check's own. */
  readonly together: string[];
  /** Whether one answer proves it by itself; all else is tried again, alone, before it is told. */
  readonly certain: boolean;
  constructor(
    expected: string,
    actual: string,
    evidence: Exchange[] = [],
    more: { counterexample?: Counterexample | undefined; together?: string[]; certain?: boolean } = {},
  ) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.evidence = evidence;
    this.counterexample = more.counterexample;
    this.together = more.together ?? [];
    this.certain = more.certain ?? false;
  }
}

/** Something that showed once and not again: it is shown, and part of no verdict. */
export class Unsteady extends Error {
  override name = "Unsteady";
  readonly evidence: Exchange[];
  constructor(message: string, evidence: Exchange[] = []) {
    super(message);
    this.evidence = evidence;
  }
}

/** Nothing can be said: the check ends as a skip with a reason, which is never a pass. */
export class Untestable extends Error {
  override name = "Untestable";
  readonly reason: SkipReason;
  readonly evidence: Exchange[];
  constructor(reason: SkipReason, message: string, evidence: Exchange[] = []) {
    super(message);
    this.reason = reason;
    this.evidence = evidence;
  }
}
