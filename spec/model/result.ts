import type { DifferenceKind } from "./difference.ts";
import type { RejectionCause } from "./profile.ts";

export type Level = "MUST" | "SHOULD" | "NOTE";

export type Outcome = "pass" | "fail" | "warn" | "skip" | "note" | "unsteady";

export type SkipReason =
  | "no-fixture" // the user did not name the resource that the check needs
  | "used-up" // an earlier run used the fixture up
  | "no-data" // the service has nothing to test with
  | "no-second-space" // the user offers no second space
  | "no-callback" // the user offers no callback URL
  | "read-only" // the check would write in a read-only run
  | "not-selected" // left out by --only or --skip
  | "not-offered" // the service is declared not to offer the operation
  | "left-out" // --within or --preset had no room for it
  | "not-sampled" // the seed left it out at depth quick
  | "not-shown" // the specification gives no shape to test
  | "control-rejected" // the valid twin was not accepted, so a rejection proves nothing
  | "drift" // the data changed while it was read
  | "rate-limited" // the service kept answering 429
  | "budget" // --max-requests is reached, or a list has too many pages
  | "no-answer" // timeout or closed connection
  | "server-error" // the service answered 5xx, which has a finding of its own
  | "declined" // the service may decline the request, and did
  | "shard" // another shard runs it
  | "interrupted" // the run ended before the check did
  | "needs-run" // recorded traffic can't show it
  | "uncertain" // recorded traffic shows a violation that others may explain
  | "suite-error"; // the suite itself failed; never the service's fault

/** A change by the user after which a skipped check can be tested. */
export type Remedy =
  /** The argument of `--fixture` (`payout=ID`). */
  | { fixture: string }
  /** An option whose number is too small. */
  | { raise: "--max-requests" | "--max-created" | "--concurrency" }
  /** The create that the service no longer accepts. */
  | { room: string };

/** Secrets are removed, and a long body is cut. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** The Authorization header as a shell expression for double quotes, with variables for tokens. */
  credential?: string;
}

/** Secrets are removed. `truncated` is true if `body`, the decoded text, was cut. */
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
  /** The role in the finding (`control`, `probe`, `page 2`). */
  role?: string;
  /** The wrong part of the answer: a JSON pointer, `status`, or `header:<name>`. */
  offending?: string;
}

export interface Reproduce {
  seed: number;
  path?: string;
  counterexample?: unknown;
  /** Ids of checks that must run, too, because their requests showed the violation. */
  with?: string[];
  curl?: string;
  command: string;
}

export interface CheckResult {
  /** The id is the same in each run and release. */
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
  | "late-reads" // reads and lists show a write some time after it
  | "rate-limit" // requests are answered 429
  | "read-only-token" // every valid write is answered 403
  | "quota" // from some number on, creates or updates are rejected
  | "quota-of-active" // from some number of active resources on, no more can be activated
  | "brief-rejection" // a valid request is rejected, and accepted when it is sent again
  | "declined-values" // the service declines values that it may decline
  | "volatile-field" // a field changes without a write
  | "moving-list"; // a list changes without a write

/** `path` has parameters instead of values. `status` is null without an answer. */
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
  /** The keys name constraints that probes kept or broke (`POST /webhooks body/name maxLength`). */
  constraints: Record<string, { valid: number; violating: number }>;
}
