/**
 * The Report: the result of a run as plain JSON. Every format is a function of it. Fields may be added, never
 * renamed.
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
  checks: string[];
  /** False if a MUST needs something that the user did not offer; `scopeReason` says what. */
  inScope: boolean;
  scopeReason?: string;
  waived?: boolean;
}

/** Counts of checks by outcome. A waived violation counts as waived only. */
export interface Summary extends Record<Exclude<Outcome, "unsteady">, number> {
  /** Absent in reports of older suites. */
  unsteady?: number;
  waived: number;
  /** Number of failures that the baseline has too; absent without a baseline. */
  known?: number;
}

export interface OperationResult {
  operation: string;
  section: string;
  /** True if the specification documents its answer and the suite has checks for its method. */
  shown: boolean;
  /** False if the service is declared not to offer the operation. */
  offered?: false;
  /** Number of 2xx answers in the run. */
  successes: number;
  /**
   * Its checks of MUST requirements: all, the tested ones, and those that --only, --skip or a shard left out.
   */
  musts: { total: number; tested: number; notSelected: number };
  /** False if all its tests need something that the user did not offer; `scopeReason` says what. */
  inScope: boolean;
  scopeReason?: string;
}

/** Checks that show one fault of the service, at any operation and version. */
export interface FindingResult {
  /** The kind of difference, the same for all these checks. */
  cause: string;
  requirement: string;
  outcome: "fail" | "warn" | "unsteady";
  /** The harm: to access, to stored data, or to the shape of an answer. */
  kind: "security" | "data" | "shape";
  checks: string[];
  operations: string[];
  versions: string[];
  /** Set if the baseline has these failures too. */
  known?: true;
  /** The cause of the finding that this finding follows from. */
  followsFrom?: string;
}

/** A requirement at an operation, as recorded traffic shows it. */
export interface JudgedPlace {
  requirement: string;
  operation: string;
  /** `uncertain`: there was a violation, but writes of others may explain it. */
  outcome: "violated" | "uncertain" | "held" | "never";
  /** Number of exchanges that could have broken the requirement and did not. */
  held: number;
  violated: number;
  /** Probes of a run that would exercise the requirement. */
  probes?: string[];
}

/** The recorded traffic that was judged. */
export interface JudgedTraffic {
  /** The sender of the requests: a run of the suite, or others, some of whose traffic may be missing. */
  of: "run" | "others";
  files: string[];
  exchanges: number;
  /** How many of all checks recorded traffic can be judged by. */
  checks: { judged: number; total: number };
  requirements: { exercised: number; violated: number; total: number };
  places: JudgedPlace[];
  /** How the outcomes differ from those of the run that wrote the traffic. */
  agreement?: { compared: number; differ: { check: string; run: Outcome; judged: Outcome }[] };
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  /** `rulesOff`: requirements that rules of the suite test and this edition lacks. Nothing tested them. */
  spec: { title: string; versions: string[]; sha256: string; rulesOff?: string[] };
  /** The file with the specification's text, and the cited sections by number. */
  specification?: { file: string; sections: Record<string, SpecificationSection> };
  target: { baseUrl: string; paths: string; embedded: boolean };
  /** The vendor profile: its name, and the SHA-256 of its file. */
  profile?: { name: string; sha256: string };
  run: {
    startedAt: string;
    durationMs: number;
    seed: number;
    requests: number;
    partial: boolean;
    /** The settings of the run, with secrets redacted. */
    options: Record<string, unknown>;
  };
  /** The user's labels for the service, by name, e.g. `build` with `4.2.1`. */
  labels?: Record<string, string>;
  /** `quick`: the seed sampled the checks; `full`: all ran. */
  depth?: "quick" | "full";
  /** Number of checks that the seed did not pick. */
  leftToOtherSeeds?: number;
  /** Why the run ended early: the service is gone, or the token ran out. */
  endedEarly?: string;
  /** Why the target could not be judged (exit code 3). */
  problem?: string;
  /** Problems of the run itself that fail it, e.g. an expired waiver. */
  complaints?: string[];
  /** Remarks about the run itself that fail nothing, e.g. a waiver that covered nothing. */
  notices?: string[];
  verdict: Verdict;
  summary: Summary;
  requirements: RequirementResult[];
  checks: CheckResult[];
  /** Every operation of the specification; absent in reports of earlier releases. */
  operations?: OperationResult[];
  /** The findings; absent in reports of earlier releases. */
  findings?: FindingResult[];
  created?: CreatedResource[];
  observations: Observation[];
  coverage: Coverage;
  /** Present if recorded traffic was judged. The verdict is never `conformant` then. */
  judged?: JudgedTraffic;
}
