/**
 * Judges runs of the proof: the suite must find the defect, pass the variant, and not accept the null
 * service.
 */

import type { Defect, Variant } from "../../reference/index.ts";
import type { Level } from "../../spec/model/spec.ts";
import type { Digest, Finding } from "./digest.ts";
import { findingAt } from "./digest.ts";

export interface DefectProof {
  name: string;
  /**
   * True if one of its requirements is found violated at an operation of the defect, with the right level.
   */
  found: boolean;
  /** Operations of the defect without such a finding. */
  missedAt: string[];
  /** Ids of the checks with such a finding. */
  checks: string[];
  /**
   * The checks that ran: those of its requirements at its operations, more if these miss the defect, or all.
   */
  met: Met;
  /** `requirement operation` of further findings in a whole run. */
  stirred: string[];
  /**
   * Why there is nothing to judge: the run failed, the service was refused as a whole, or the suite failed.
   */
  trouble?: string;
}

export type Met =
  | "requirements"
  | "requirements at depth full"
  /** As before, with other seeds. */
  | "other seeds"
  | "operations"
  | "operations at depth full"
  | "whole";

export interface VariantProof {
  name: string;
  /** Findings that the variant does not declare. */
  noise: Finding[];
  /** Declared SHOULD requirements without a finding. */
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

/** The result of a run, or of failing to run. */
export type Outcome = { digest: Digest } | { error: string };

/** Judges a run against the reference service with one defect; `levels` has the level of each requirement. */
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

/** Judges a run against a conforming variant, or against the reference service itself. */
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

/** Judges a run on a null service. It is good if the run can't judge the service. */
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

/** True if the run itself had no trouble. */
export function isQuiet(proof: DefectProof): boolean {
  return proof.trouble === undefined;
}

/** True if the suite found nothing that the variant does not declare. */
export function isClean(proof: VariantProof): boolean {
  return proof.noise.length === 0 && proof.trouble === undefined;
}

/**
 * Checks whose outcomes differ between the runs. With `skipsAgree`, a skip agrees with any outcome, because a
 * service that changes meanwhile may prevent a test.
 */
export function unstable(runs: readonly Digest[], skipsAgree = false): { check: string; seen: string[] }[] {
  const ids = new Set(runs.flatMap(({ outcomes }) => Object.keys(outcomes)));
  return [...ids].flatMap((check) => {
    const seen = [...new Set(runs.map(({ outcomes }) => outcomes[check] ?? "not planned"))];
    // Each seed leaves other checks out.
    const agrees = skipsAgree ? /^skip: / : /^skip: not-sampled$/;
    const counted = seen.filter((outcome) => !agrees.test(outcome));
    return counted.length > 1 ? [{ check, seen }] : [];
  });
}
