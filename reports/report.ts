/** Fields of the report may be added, but never renamed. */

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
  /** True for a MUST, unless the user did not offer what it needs. */
  inScope: boolean;
  scopeReason?: string;
  waived?: boolean;
}

/** Waived violations count only as waived. */
export interface Summary extends Record<Exclude<Outcome, "unsteady">, number> {
  unsteady?: number;
  waived: number;
  known?: number;
}

export interface OperationResult {
  operation: string;
  section: string;
  /** True if the suite tests the method, and the response is documented. */
  shown: boolean;
  offered?: false;
  successes: number;
  /** `notSelected` counts those left out by --only, --skip or a shard. */
  musts: { total: number; tested: number; notSelected: number };
  inScope: boolean;
  scopeReason?: string;
}

export interface FindingResult {
  cause: string;
  requirement: string;
  outcome: "fail" | "warn" | "unsteady";
  /** The harm: to access (`security`), to stored data, or to the shape of responses. */
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
  /** `uncertain` means that writes of others may explain a violation. */
  outcome: "violated" | "uncertain" | "held" | "never";
  held: number;
  violated: number;
  probes?: string[];
}

export interface JudgedTraffic {
  /** `run` is the history of a run, `others` is other traffic, perhaps incomplete. */
  of: "run" | "others";
  files: string[];
  exchanges: number;
  /** `judged` counts the checks that can judge recorded traffic. */
  checks: { judged: number; total: number };
  requirements: { exercised: number; violated: number; total: number };
  places: JudgedPlace[];
  agreement?: { compared: number; differ: { check: string; run: Outcome; judged: Outcome }[] };
}

export interface Report {
  schemaVersion: 1;
  suite: { name: string; version: string };
  /** `rulesOff` has requirements that the suite tests, but the edition lacks. */
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
  /** Sentences that fail the run, such as one about an expired waiver. */
  complaints?: string[];
  /** Sentences that fail nothing, such as one about an unused waiver. */
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
  /** Only for recorded traffic. The verdict is then never `conformant`. */
  judged?: JudgedTraffic;
}
