import type { DifferenceKind } from "./difference.ts";
import type { RejectionCause } from "./profile.ts";

export type Level = "MUST" | "SHOULD" | "NOTE";

export type Outcome = "pass" | "fail" | "warn" | "skip" | "note" | "unsteady";

export type SkipReason =
  | "no-fixture" // --fixture is missing
  | "used-up" // used up by an earlier run
  | "no-data" // the service has nothing to test with
  | "no-second-space"
  | "no-callback"
  | "read-only" // the check writes
  | "not-selected" // --only or --skip
  | "not-offered"
  | "left-out" // --within or --preset
  | "not-sampled" // the seed left it out
  | "not-shown" // no shape is documented
  | "control-rejected" // the valid twin was not accepted
  | "drift" // the data changed during the test
  | "rate-limited"
  | "budget" // --max-requests, or too many pages
  | "no-answer" // timeout or closed connection
  | "server-error" // the server error has a finding of its own
  | "declined" // the service declined, as it may
  | "shard"
  | "interrupted"
  | "needs-run" // recorded traffic can't show it
  | "uncertain" // others may explain a recorded violation
  | "suite-error";

/** A user's change that makes a check testable. */
export type Remedy =
  /** The argument of `--fixture` (`payout=ID`). */
  | { fixture: string }
  | { raise: "--max-requests" | "--max-created" | "--concurrency" }
  /** The create for which the service has no room left. */
  | { room: string };

/** Secrets are removed, and a long body is cut. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** The credential as a double-quoted shell text, with variables for tokens. */
  credential?: string;
}

/** Secrets are removed. `truncated` means that the body was cut. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  truncated?: boolean;
}

export interface Exchange {
  request: SentRequest;
  response?: ReceivedResponse;
  fault?: string;
  startedAt: string;
  durationMs: number;
  /** The role of the exchange in the finding, such as `control`. */
  role?: string;
  /** The offending part: a JSON pointer, `status`, or `header:<name>`. */
  offending?: string;
}

export interface Reproduce {
  seed: number;
  /** Reports of earlier releases may have it. No longer written. */
  path?: string;
  /** Reports of earlier releases may have it. No longer written. */
  counterexample?: unknown;
  /** Checks that must run, too, because their requests showed the violation. */
  with?: string[];
  curl?: string;
  command: string;
}

export interface CheckResult {
  id: string;
  title: string;
  requirements: string[];
  level: Level;
  suite: string;
  operation: string;
  section: string;
  serviceVersion: string | null;
  mustReject?: RejectionCause;
  outcome: Outcome;
  reason?: SkipReason;
  remedy?: Remedy;
  message?: string;
  expected?: string;
  actual?: string;
  difference?: DifferenceKind;
  notImplemented?: true;
  waived?: { reason: string; expires: string };
  known?: true;
  durationMs: number;
  evidence: Exchange[];
  reproduce?: Reproduce;
}

export interface CreatedResource {
  kind: string;
  id: string;
  name?: string;
  space: string;
  at: string;
}

type TraitKind =
  | "late-reads"
  | "rate-limit"
  | "read-only-token"
  | "quota" // from some number on, creates or updates are rejected
  | "quota-of-active" // no more resources can be active
  | "brief-rejection" // a rejected request is accepted later
  | "declined-values"
  | "volatile-field"
  | "moving-list";

/** The `path` has parameters, no values. */
export interface TraitEvidence {
  entry: number;
  method: string;
  path: string;
  status: number | null;
}

export interface Trait {
  trait: TraitKind;
  subject: string;
  statement: string;
  evidence: TraitEvidence[];
}

export interface Observation {
  requirement: string;
  operation: string;
  practice?: string;
  field?: string;
  subject: string;
  value: string;
  status?: number;
}

export interface Coverage {
  operations: Record<
    string,
    {
      requests: number;
      statuses: Record<string, number>;
      outcomes: Partial<Record<Outcome, number>>;
      latencyMs?: { p50: number; p95: number };
    }
  >;
  fields: Record<string, { seen: number; null: number }>;
  /** The keys are constraints (`POST /webhooks body/name maxLength`). */
  constraints: Record<string, { valid: number; violating: number }>;
}
