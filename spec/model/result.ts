/** Results of checks: outcomes, exchanges, observations. Part of every Report. */

/** How binding a requirement is. A MUST violation is a `fail`, a SHOULD violation a `warn`, a NOTE never a verdict. */
export type Level = "MUST" | "SHOULD" | "NOTE";

/**
 * The outcome of a check, or of a requirement over all its checks. `unsteady`: it was violated once and not again;
 * the report shows it, and it is no evidence for the requirement.
 */
export type Outcome = "pass" | "fail" | "warn" | "skip" | "note" | "unsteady";

/** Why a check was not tested. Every skip has exactly one reason. */
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
  | "not-sampled" // the seed left it out at depth quick
  | "not-shown" // specification gives no shape to test
  | "control-rejected" // the valid twin of a probe was not accepted, so its rejection proves nothing
  | "drift" // the data changed while it was read
  | "rate-limited" // 429 persisted
  | "budget" // --max-requests, or the bound on pages of a long list
  | "no-answer" // timeout or closed connection
  | "server-error" // a 5xx stood in the way; that is a finding of its own
  | "declined" // the service declined something it is free to decline
  | "shard" // belongs to another shard
  | "interrupted" // the run ended first
  | "needs-run" // recorded traffic can't show it
  | "uncertain" // recorded traffic shows a violation that others may explain
  | "suite-error"; // the suite itself failed; never the service's fault

/** A request as it was sent, with secrets redacted. `body` is the text, or null; long bodies are cut. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** The redacted Authorization as a shell expression for double quotes, made of the user's tokens. */
  credential?: string;
}

/**
 * A response as it was received, with secrets redacted. `body` is the decoded text; `truncated` means that it was
 * cut.
 */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  truncated?: boolean;
}

/** A request and its response. Without a `response`, `fault` says what happened instead. */
export interface Exchange {
  request: SentRequest;
  response?: ReceivedResponse;
  fault?: string;
  /** RFC 3339, UTC. */
  startedAt: string;
  durationMs: number;
  /** The part of this exchange in the finding, e.g. "control", "probe", "page 2". */
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
  /** Ids of other checks that must run too, because their requests showed the fault. */
  with?: string[];
  /** The decisive request as a shell command, with environment variables for secrets. */
  curl?: string;
  /** The command that runs this check alone. */
  command: string;
}

export interface CheckResult {
  /** Made of suite, operation, requirement and constraint; stable between runs and versions. */
  id: string;
  /** A sentence: what must hold. */
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
  /** Set if the service does not have the operation. */
  notImplemented?: true;
  /** Set if a waiver covers this failure. */
  waived?: { reason: string; expires: string };
  /** Set if the baseline has this failure too. */
  known?: true;
  durationMs: number;
  evidence: Exchange[];
  reproduce?: Reproduce;
}

/** A resource that the run made and left on the service. */
export interface CreatedResource {
  /** The kind, in the words of the specification: `webhook`. */
  kind: string;
  id: string;
  /** The text that marks it as made by the suite, if it has one. */
  name?: string;
  space: string;
  /** RFC 3339, UTC. */
  at: string;
}

/** Behaviour of this service on which the specification is silent. Comparable between two runs. */
export interface Observation {
  requirement: string;
  operation: string;
  /** The practice, by the name that profiles use if they can promise it. */
  practice?: string;
  field?: string;
  /** Subject and behaviour, in words. */
  subject: string;
  value: string;
  /** The status of the answer, if the observation is about how a request was answered. */
  status?: number;
}

/** The extent of a run. Counts are of responses, values and probes. */
export interface Coverage {
  /** By operation: answers by status code, checks by outcome. */
  operations: Record<
    string,
    {
      requests: number;
      statuses: Record<string, number>;
      outcomes: Partial<Record<Outcome, number>>;
      /** Median and 95th percentile, in milliseconds. */
      latencyMs?: { p50: number; p95: number };
    }
  >;
  /**
   * By resource and JSON pointer (`UssdOtp /status`): how often a documented field was seen, and how often it was
   * null.
   */
  fields: Record<string, { seen: number; null: number }>;
  /** By constraint (`POST /webhooks body/name maxLength`): probes sent inside and outside of it. */
  constraints: Record<string, { valid: number; violating: number }>;
}
