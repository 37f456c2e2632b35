/** What came of checks, as everyone may know it: outcomes, exchanges, observations. Part of every Report. */

/** How binding a requirement is. A MUST violation is a `fail`, a SHOULD violation a `warn`, a NOTE never a verdict. */
export type Level = "MUST" | "SHOULD" | "NOTE";

/**
 * What came of a check, or, combined over its checks, of a requirement. `unsteady`: it was violated once, and not when
 * it was tried again; it is shown, and no evidence for the requirement.
 */
export type Outcome = "pass" | "fail" | "warn" | "skip" | "note" | "unsteady";

/** Why a check was not tested. Every skip carries exactly one of these. */
export type SkipReason =
  | "no-fixture" // the user did not name the resource that the check needs
  | "used-up" // an earlier run used the fixture up
  | "no-data" // the service holds nothing to test with
  | "no-second-space" // isolation needs a second space
  | "no-callback" // deliveries need a callback URL
  | "read-only" // the run must not write
  | "not-selected" // left out by --only or --skip
  | "not-offered" // the service is declared not to offer the operation
  | "left-out" // --within or --preset had no room for it
  | "not-shown" // specification gives no shape to test
  | "control-rejected" // the valid neighbour of a probe was not accepted, so its rejection proves nothing
  | "drift" // the data changed while it was read
  | "rate-limited" // 429 persisted
  | "budget" // --max-requests, or the bound on pages of a long list
  | "no-answer" // timeout or closed connection
  | "server-error" // a 5xx stood in the way; that is a finding of its own
  | "declined" // the service declined something it is free to decline
  | "shard" // belongs to another shard
  | "interrupted" // the run ended first
  | "suite-error"; // the suite itself failed; never the service's fault

/** A request as it was sent, secrets removed. `body` is the text sent, or null; long bodies are cut. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** How the redacted Authorization was made of the user's tokens, as a shell writes it between double quotes. */
  credential?: string;
}

/** A response as it was received, secrets removed. `body` is the decoded text; `truncated` tells when it was cut. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  truncated?: boolean;
}

/** One request and what came of it. Without `response`, `fault` says what happened instead. */
export interface Exchange {
  request: SentRequest;
  response?: ReceivedResponse;
  fault?: string;
  /** RFC 3339, UTC. */
  startedAt: string;
  durationMs: number;
  /** What this exchange is to the finding, e.g. "control", "probe", "page 2". */
  role?: string;
  /** The part of the response (or request) at fault: a JSON pointer, `status`, or `header:<name>`. */
  offending?: string;
}

/** How to see a finding again. */
export interface Reproduce {
  seed: number;
  /** fast-check's path to the counterexample, for properties. */
  path?: string;
  /** The smallest input that shows the fault, for properties. */
  counterexample?: unknown;
  /** Ids of other checks that must run along, because their requests showed the fault. */
  with?: string[];
  /** The decisive request as a shell command; secrets stand as environment variables. */
  curl?: string;
  /** The command that runs this check alone again. */
  command: string;
}

export interface CheckResult {
  /** Made of suite, operation, requirement and constraint; stable between runs and versions. */
  id: string;
  /** A sentence: what this check tries. */
  title: string;
  requirements: string[];
  level: Level;
  suite: string;
  /** `METHOD path` as section 4 of the specification writes it. */
  operation: string;
  /** Number of the section that describes the operation. */
  section: string;
  serviceVersion: string | null;
  outcome: Outcome;
  /** Present when and only when the outcome is `skip`. */
  reason?: SkipReason;
  message?: string;
  expected?: string;
  actual?: string;
  /** Set if the operation is not there at all. */
  notImplemented?: true;
  /** Set when a waiver covers this failure. */
  waived?: { reason: string; expires: string };
  /** Set when the baseline has this failure too. */
  known?: true;
  durationMs: number;
  evidence: Exchange[];
  reproduce?: Reproduce;
}

/** Something the run made on the service, and left there. */
export interface CreatedResource {
  /** What it is, as the specification calls it: `webhook`. */
  kind: string;
  id: string;
  /** The text that marks it as made by the suite, where it has one. */
  name?: string;
  space: string;
  /** RFC 3339, UTC. */
  at: string;
}

/** Something the specification leaves open, and what this service does. Comparable between two runs. */
export interface Observation {
  requirement: string;
  operation: string;
  /** What was looked at, as profiles name it where they can promise it. */
  practice?: string;
  /** The field or parameter that it is about. */
  field?: string;
  /** The same, and what the service does, for people. */
  subject: string;
  value: string;
  /** The status of the answer, if the observation is about how a request was answered. */
  status?: number;
}

/** What a run exercised. Counts are of responses, values and probes. */
export interface Coverage {
  /** By operation: answers by status code, checks by outcome. */
  operations: Record<
    string,
    {
      requests: number;
      statuses: Record<string, number>;
      outcomes: Partial<Record<Outcome, number>>;
      /** Milliseconds within which half of the answers came, and 95 of 100. */
      latencyMs?: { p50: number; p95: number };
    }
  >;
  /** By resource and JSON pointer (`UssdOtp /status`): how often a documented field was seen, and how often null. */
  fields: Record<string, { seen: number; null: number }>;
  /** By constraint (`POST /webhooks body/name maxLength`): probes sent inside and outside of it. */
  constraints: Record<string, { valid: number; violating: number }>;
}
