/** Every format is made from this report. Fields may be added, but never renamed. */

import type {
  CheckResult,
  Coverage,
  CreatedResource,
  Level,
  Observation,
  Outcome,
  Trait,
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
  Remedy,
  Reproduce,
  SentRequest,
  SkipReason,
  Trait,
} from "../spec/model/result.ts";

export type Verdict = "conformant" | "nonconformant" | "inconclusive";

export interface RequirementResult {
  id: string;
  level: Level;
  section: string;
  statement: string;
  outcome: Outcome;
  checks: string[];
  /** True for a MUST, unless all its checks need something that the user did not offer. */
  inScope: boolean;
  scopeReason?: string;
  waived?: boolean;
}

/** Numbers of checks by outcome. A waived violation counts only as waived. */
export interface Summary extends Record<Exclude<Outcome, "unsteady">, number> {
  /** Absent in reports of older suites. */
  unsteady?: number;
  waived: number;
  known?: number;
}

export interface OperationResult {
  operation: string;
  section: string;
  /** True if the answer is documented and the suite has checks for the method. */
  shown: boolean;
  offered?: false;
  successes: number;
  /** `notSelected`: left out by --only, --skip or a shard. */
  musts: { total: number; tested: number; notSelected: number };
  inScope: boolean;
  scopeReason?: string;
}

export interface FindingResult {
  cause: string;
  requirement: string;
  outcome: "fail" | "warn" | "unsteady";
  /** The harm: to access, to stored data, or to the shape of answers. */
  kind: "security" | "data" | "shape";
  checks: string[];
  operations: string[];
  versions: string[];
  known?: true;
  followsFrom?: string;
}

export interface JudgedPlace {
  requirement: string;
  operation: string;
  /** `uncertain` if writes of others may explain the violation. */
  outcome: "violated" | "uncertain" | "held" | "never";
  held: number;
  violated: number;
  probes?: string[];
}

export interface JudgedTraffic {
  /** `run`: the history of a run. `others`: traffic of other clients, of which some may be missing. */
  of: "run" | "others";
  files: string[];
  exchanges: number;
  /** `judged`: checks that can judge recorded traffic. */
  checks: { judged: number; total: number };
  requirements: { exercised: number; violated: number; total: number };
  places: JudgedPlace[];
  agreement?: { compared: number; differ: { check: string; run: Outcome; judged: Outcome }[] };
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  /** `rulesOff`: requirements that the suite tests and the edition lacks. */
  spec: { title: string; versions: string[]; sha256: string; rulesOff?: string[] };
  specification?: { file: string; sections: Record<string, SpecificationSection> };
  target: { baseUrl: string; paths: string; embedded: boolean };
  profile?: { name: string; sha256: string };
  run: {
    startedAt: string;
    durationMs: number;
    seed: number;
    requests: number;
    partial: boolean;
    options: Record<string, unknown>;
  };
  labels?: Record<string, string>;
  depth?: "quick" | "full";
  leftToOtherSeeds?: number;
  endedEarly?: string;
  problem?: string;
  /** Problems that fail the run, such as an expired waiver. */
  complaints?: string[];
  /** Remarks that fail nothing, such as an unused waiver. */
  notices?: string[];
  verdict: Verdict;
  summary: Summary;
  requirements: RequirementResult[];
  checks: CheckResult[];
  /** Absent in reports of earlier releases. */
  operations?: OperationResult[];
  findings?: FindingResult[];
  created?: CreatedResource[];
  observations: Observation[];
  assumed?: Trait[];
  coverage: Coverage;
  /** Facts about recorded traffic, whose verdict is never `conformant`. */
  judged?: JudgedTraffic;
}
