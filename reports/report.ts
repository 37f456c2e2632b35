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
  /** Ids of the checks of this run that test it. */
  checks: string[];
  /** A MUST is in scope unless it needs something that the user did not offer: `scopeReason`. */
  inScope: boolean;
  scopeReason?: string;
  waived?: boolean;
}

/** Counts of checks by outcome. A waived violation counts as waived only. */
export interface Summary extends Record<Exclude<Outcome, "unsteady">, number> {
  /** Absent in a report of an older suite. */
  unsteady?: number;
  waived: number;
  /** Failures that the baseline has too; absent without a baseline. */
  known?: number;
}

/** How far an operation was tested. */
export interface OperationResult {
  operation: string;
  section: string;
  /** True if the specification documents its answer and the suite has checks for its method. */
  shown: boolean;
  /** False if the service is declared not to offer it. */
  offered?: false;
  /** 2xx answers in the run. */
  successes: number;
  /** Its checks of MUST requirements: all, tested ones, and those left out by --only, --skip or a shard. */
  musts: { total: number; tested: number; notSelected: number };
  /** In scope unless all its tests need something that the user did not offer: `scopeReason`. */
  inScope: boolean;
  scopeReason?: string;
}

/** Checks that show one fault of the service, at any operation, version and detail. */
export interface FindingResult {
  /** The kind of difference, the same for all its checks. */
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
  /** The cause of the finding that this one follows from. */
  followsFrom?: string;
}

/** A requirement at an operation, as recorded traffic shows it. */
export interface JudgedPlace {
  requirement: string;
  operation: string;
  /** `uncertain`: a violation was seen that somebody else's writes may explain. */
  outcome: "violated" | "uncertain" | "held" | "never";
  /** Exchanges that could have broken it, and did not. */
  held: number;
  violated: number;
  /** Probes of a run that would exercise it. */
  probes?: string[];
}

/** The recorded traffic that was judged. */
export interface JudgedTraffic {
  /** The writer of the history: a run of the suite, or others, of whose writes some may be missing. */
  of: "run" | "others";
  files: string[];
  exchanges: number;
  /** Checks that recorded traffic can be judged by, of all checks. */
  checks: { judged: number; total: number };
  requirements: { exercised: number; violated: number; total: number };
  places: JudgedPlace[];
  /** The outcomes that differ from the run's own. */
  agreement?: { compared: number; differ: { check: string; run: Outcome; judged: Outcome }[] };
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  /** `rulesOff`: requirements with rules in the suite that the edition lacks. Nothing tested them. */
  spec: { title: string; versions: string[]; sha256: string; rulesOff?: string[] };
  /** The file with the specification's text, and the cited sections by number. */
  specification?: { file: string; sections: Record<string, SpecificationSection> };
  target: { baseUrl: string; paths: string; embedded: boolean };
  /** The vendor profile in force: its name, and the SHA-256 of its file. */
  profile?: { name: string; sha256: string };
  run: {
    startedAt: string;
    durationMs: number;
    seed: number;
    requests: number;
    partial: boolean;
    /** The settings in force, with secrets redacted. */
    options: Record<string, unknown>;
  };
  /** The user's labels for the service, by name: `build` to `4.2.1`. */
  labels?: Record<string, string>;
  /** `quick`: checks were sampled by seed; `full`: all were run. */
  depth?: "quick" | "full";
  /** The number of checks that the seed did not pick. */
  leftToOtherSeeds?: number;
  /** Why the run ended early: the service went away, the token ran out. */
  endedEarly?: string;
  /** Why the target could not be judged (exit code 3). */
  problem?: string;
  /** Faults of the run itself that fail it, such as expired or unmatched waivers. */
  complaints?: string[];
  /** Remarks about the run itself that fail nothing, such as a waiver that covered nothing. */
  notices?: string[];
  verdict: Verdict;
  summary: Summary;
  requirements: RequirementResult[];
  checks: CheckResult[];
  /** Every operation of the specification; absent in reports of earlier editions. */
  operations?: OperationResult[];
  /** The findings; absent in reports of earlier editions. */
  findings?: FindingResult[];
  created?: CreatedResource[];
  observations: Observation[];
  coverage: Coverage;
  /** Set if recorded traffic was judged: the verdict is then never `conformant`. */
  judged?: JudgedTraffic;
}
