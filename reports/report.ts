/**
 * The Report: what a run leaves behind, as plain JSON. Everything that a reader is shown, in whatever format,
 * is a function of this one value. The shape is fixed for other tools; fields may be added, never renamed.
 */

import type {
  CheckResult,
  Coverage,
  CreatedResource,
  Level,
  Observation,
  Outcome,
} from "../spec/model/result.ts";
import type { SpecificationSection } from "../spec/specification-text.ts";

export type {
  CheckResult,
  Coverage,
  Exchange,
  Level,
  Observation,
  Outcome,
  ReceivedResponse,
  Reproduce,
  SentRequest,
  SkipReason,
} from "../spec/model/result.ts";

export type Verdict = "conformant" | "nonconformant" | "inconclusive";

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

/** Counts of checks by outcome; what is waived counts as that alone. */
export interface Summary extends Record<Outcome, number> {
  waived: number;
  /** Of the failures, those that the baseline has too; absent without a baseline. */
  known?: number;
}

/** How far an operation was tested. */
export interface OperationResult {
  operation: string;
  section: string;
  /** Whether the suite looks for its answer: the specification shows it, and the method is one that has checks. */
  shown: boolean;
  /** False if the service is declared not to offer it. */
  offered?: false;
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
  /** Set when the baseline has these failures too. */
  known?: true;
  /** The cause of the finding that this one follows from. */
  followsFrom?: string;
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  /** `rulesOff`: requirements that the suite has rules for and the edition lacks; nothing tested them. */
  spec: { title: string; versions: string[]; sha256: string; rulesOff?: string[] };
  /** The file with the specification's text, and the sections of it that findings cite, by number. */
  specification?: { file: string; sections: Record<string, SpecificationSection> };
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
  /** How many checks rotation left to other seeds. */
  leftToOtherSeeds?: number;
  /** Why the run ended before its time, when it did: the service went away, the token ran out. */
  endedEarly?: string;
  /** Why the target could not be judged, when it could not (exit code 3). */
  problem?: string;
  /** Named faults of the run itself that fail it: expired or unmatched waivers, for instance. */
  complaints?: string[];
  /** Sentences about the run itself that fail nothing: a waiver that covered nothing, for instance. */
  notices?: string[];
  verdict: Verdict;
  summary: Summary;
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
