/**
 * The Report: what a run leaves behind, as plain JSON. Everything that a reader is shown, in whatever format,
 * is a function of this one value. The shape is fixed for other tools; fields may be added, never renamed.
 */

/** How binding a requirement is. A MUST violation is a `fail`, a SHOULD violation a `warn`, a NOTE never a verdict. */
export type Level = "MUST" | "SHOULD" | "NOTE";

/**
 * What came of a check, or, combined over its checks, of a requirement. `unsteady`: it was violated once, and not when
 * it was tried again, alone; it is shown, and part of no verdict.
 */
export type Outcome = "pass" | "fail" | "warn" | "skip" | "note" | "unsteady";

/** Why a check was not tested. Every skip carries exactly one of these. */
export type SkipReason =
  | "no-fixture" // the user did not name the resource that the check needs
  | "no-data" // the service holds nothing to test with
  | "no-second-space" // isolation needs a second space
  | "no-callback" // deliveries need a callback URL
  | "read-only" // the run must not write
  | "not-selected" // left out by --only or --skip
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

export type Verdict = "conformant" | "nonconformant" | "inconclusive";

/** A request as it was sent, secrets removed. `body` is the text sent, or null; long bodies are cut. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
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
  /** Set when a waiver covers this failure. */
  waived?: { reason: string; expires: string };
  durationMs: number;
  evidence: Exchange[];
  reproduce?: Reproduce;
}

export interface RequirementResult {
  id: string;
  level: Level;
  section: string;
  statement: string;
  outcome: Outcome;
  /** Ids of the checks of this run that test it. */
  checks: string[];
  /** A MUST is in scope unless it needs something the user did not offer; then `scopeReason` says what. */
  inScope: boolean;
  scopeReason?: string;
  waived?: boolean;
}

/** How far an operation was tested. */
export interface OperationResult {
  operation: string;
  section: string;
  /** Whether the specification shows its answer; others it only names. */
  shown: boolean;
  /** 2xx answers that the run saw. */
  successes: number;
  /** Its checks of MUST requirements: all, those that tested, and those that --only, --skip or a shard left out. */
  musts: { total: number; tested: number; notSelected: number };
  /** In scope unless all that would test it needs what the user did not offer; then `scopeReason` says what. */
  inScope: boolean;
  scopeReason?: string;
}

/** Checks that show one fault of the service, whatever the operation, version and detail that show it. */
export interface FindingResult {
  /** What was expected, without what differs between the checks. */
  cause: string;
  requirement: string;
  outcome: "fail" | "warn" | "unsteady";
  /** What it endangers: who may see or do what, what is stored, or what an answer looks like. */
  kind: "security" | "data" | "shape";
  checks: string[];
  operations: string[];
  versions: string[];
}

/** Something the run made on the service, and left there. */
export interface CreatedResource {
  kind: string;
  id: string;
  space: string;
  /** RFC 3339, UTC. */
  at: string;
}

/** Something the specification leaves open, and what this service does. Comparable between two runs. */
export interface Observation {
  requirement: string;
  operation: string;
  subject: string;
  value: string;
}

/** What a run exercised. Counts are of responses, values and probes. */
export interface Coverage {
  /** By operation: answers by status code, checks by outcome. */
  operations: Record<
    string,
    { requests: number; statuses: Record<string, number>; outcomes: Partial<Record<Outcome, number>> }
  >;
  /** By resource and JSON pointer (`UssdOtp /status`): how often a documented field was seen, and how often null. */
  fields: Record<string, { seen: number; null: number }>;
  /** By constraint (`POST /webhooks body/name maxLength`): probes sent inside and outside of it. */
  constraints: Record<string, { valid: number; violating: number }>;
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  spec: { title: string; versions: string[]; sha256: string };
  target: { baseUrl: string; paths: string; embedded: boolean };
  /** The vendor profile in force, when there was one: its own name, and the SHA-256 of its file. */
  profile?: { name: string; sha256: string };
  run: {
    startedAt: string;
    durationMs: number;
    seed: number;
    requests: number;
    partial: boolean;
    /** The settings in force, secrets removed. */
    options: Record<string, unknown>;
  };
  /** What the user says of the service under test, by name: `build` to `4.2.1`. */
  labels?: Record<string, string>;
  /** Whether rotated checks were rotated (`quick`) or all tried (`full`). */
  depth?: "quick" | "full";
  /** Why the run ended before its time, when it did: the service went away, the token ran out. */
  endedEarly?: string;
  /** Why the target could not be judged, when it could not (exit code 3). */
  problem?: string;
  /** Named faults of the run itself that fail it: expired or unmatched waivers, for instance. */
  complaints?: string[];
  verdict: Verdict;
  summary: Record<Outcome, number> & { waived: number };
  requirements: RequirementResult[];
  checks: CheckResult[];
  /** Every operation of the specification; absent from reports of earlier editions of the suite. */
  operations?: OperationResult[];
  /** The faults, each once; absent from reports of earlier editions. */
  findings?: FindingResult[];
  created?: CreatedResource[];
  observations: Observation[];
  coverage: Coverage;
}
