/**
 * Judges the runs of the proof. The suite must find each defect, find nothing in a variant, and not call a
 * null service conformant.
 */

import type { Defect, Variant } from "../../reference/index.ts";
import type { Level } from "../../spec/model/spec.ts";
import type { Digest, Finding } from "./digest.ts";
import { findingAt } from "./digest.ts";

export interface DefectProof {
  name: string;
  /**
   * True if a requirement of the defect is found violated at one of its operations, and the outcome fits the
   * level.
   */
  found: boolean;
  /** Operations of the defect that have no such finding. */
  missedAt: string[];
  /** Ids of the checks with such a finding. */
  checks: string[];
  /** Which checks ran last. If the defect was found, these found it. */
  met: Met;
  /** Other findings of a run of all checks, as `requirement operation`. */
  stirred: string[];
  /**
   * The reason why there is nothing to judge: the run or the suite failed, or the service could not be tested
   * at all.
   */
  trouble?: string;
}

export type Met =
  | "requirements"
  | "requirements at depth full"
  /** The checks of the defect's requirements, with other seeds. */
  | "other seeds"
  | "operations"
  | "operations at depth full"
  | "whole";

export interface VariantProof {
  name: string;
  /** Findings that the variant's `warns` does not declare. */
  noise: Finding[];
  /** SHOULD requirements in `warns` of which there is no finding. */
  unused: string[];
  trouble?: string;
}

export interface NullProof {
  name: string;
  conformant: boolean;
  verdict: string;
  /** The share of checks that passed, from 0 to 1. */
  passing: number;
  trouble?: string;
}

/** The digest of a run, or the error that ended it. */
export type Outcome = { digest: Digest } | { error: string };

/** Judges a run on the reference service with one defect. `levels` has the level of each requirement. */
export function judgeDefect(
  { name, requirements, operations }: Pick<Defect, "name" | "requirements" | "operations">,
  levels: ReadonlyMap<string, Level>,
  met: Met,
  outcome: Outcome,
): DefectProof {
  const blank: DefectProof = { name, found: false, missedAt: [...operations], checks: [], met, stirred: [] };
  const trouble = troubleOf(outcome);
  if (!("digest" in outcome)) return { ...blank, trouble: trouble ?? "" };
  const { findings } = outcome.digest;
  const isOwn = (finding: Finding) =>
    finding.requirements.some(
      (id) => requirements.includes(id) && finding.outcome === findingAt(levels.get(id) ?? "MUST"),
    ) && atOne(finding, operations);
  const own = findings.filter(isOwn);
  const missedAt = operations.filter((operation) => !own.some((finding) => finding.operation === operation));
  const failed = findings.find((finding) => finding.outcome === "suite-error");
  const problem = trouble ?? (failed ? `${failed.check}: ${failed.message}` : undefined);
  const others = findings.filter((finding) => !isOwn(finding));
  return {
    ...blank,
    found: own.length > 0,
    missedAt,
    checks: own.map(({ check }) => check),
    stirred: [...new Set(others.map((finding) => `${finding.requirements.join(" ")} ${finding.operation}`))],
    ...(problem === undefined ? {} : { trouble: problem }),
  };
}

function atOne(finding: Finding, operations: readonly string[]): boolean {
  return operations.includes(finding.operation);
}

/** Judges a run on a conforming variant, or on the reference service itself. */
export function judgeVariant(
  { name, warns = [] }: Pick<Variant, "name" | "warns">,
  outcome: Outcome,
): VariantProof {
  const trouble = troubleOf(outcome);
  if (!("digest" in outcome)) return { name, noise: [], unused: [], trouble: trouble ?? "" };
  const { findings } = outcome.digest;
  const declared = (finding: Finding) =>
    finding.outcome === "warn" && finding.requirements.every((id) => warns.includes(id));
  const unused = warns.filter((id) => !findings.some(({ requirements }) => requirements.includes(id)));
  return {
    name,
    noise: findings.filter((finding) => !declared(finding)),
    unused,
    ...(trouble ? { trouble } : {}),
  };
}

/** The report must not call a null service conformant. */
export function judgeNull(name: string, outcome: Outcome): NullProof {
  if (!("digest" in outcome))
    return { name, conformant: false, verdict: "none", passing: 0, trouble: outcome.error };
  const { verdict, outcomes, reportErrors } = outcome.digest;
  const all = Object.values(outcomes);
  const passing = all.length === 0 ? 0 : all.filter((text) => text === "pass").length / all.length;
  const errors = outcome.digest.findings.filter((finding) => finding.outcome === "suite-error");
  const trouble = [...reportErrors, ...errors.map(({ check, message }) => `${check}: ${message}`)];
  return {
    name,
    conformant: verdict === "conformant",
    verdict,
    passing,
    ...(trouble.length > 0 ? { trouble: trouble.slice(0, 3).join("; ") } : {}),
  };
}

function troubleOf(outcome: Outcome): string | undefined {
  if (!("digest" in outcome)) return outcome.error;
  const { problem, reportErrors } = outcome.digest;
  return (
    problem ?? (reportErrors.length > 0 ? `the report is not valid: ${reportErrors.join("; ")}` : undefined)
  );
}

/** True if the defect was found at each of its operations. */
export function isLocated(proof: DefectProof): boolean {
  return proof.found && proof.missedAt.length === 0;
}

/** True if the run and the suite did not fail. */
export function isQuiet(proof: DefectProof): boolean {
  return proof.trouble === undefined;
}

/** True if the suite has no finding that the variant does not declare. */
export function isClean(proof: VariantProof): boolean {
  return proof.noise.length === 0 && proof.trouble === undefined;
}

/**
 * Checks whose outcomes differ between the runs. With `skipsAgree`, a skip does not count as different: a
 * service that changes by itself may prevent a test.
 */
export function unstable(runs: readonly Digest[], skipsAgree = false): { check: string; seen: string[] }[] {
  const ids = new Set(runs.flatMap(({ outcomes }) => Object.keys(outcomes)));
  return [...ids].flatMap((check) => {
    const seen = [...new Set(runs.map(({ outcomes }) => outcomes[check] ?? "not planned"))];
    // Each seed leaves out other checks, so these skips never count.
    const agrees = skipsAgree ? /^skip: / : /^skip: not-sampled$/;
    const counted = seen.filter((outcome) => !agrees.test(outcome));
    return counted.length > 1 ? [{ check, seen }] : [];
  });
}
