/** Judges runs: did the suite find the defect, leave the variant alone, see through the null service? */

import type { Defect, Variant } from "../../reference/index.ts";
import type { Digest, Finding } from "./digest.ts";
import { findingAt } from "./digest.ts";

export interface DefectProof {
  name: string;
  /** A finding of the right level on its requirement, at some operation of the defect. */
  found: boolean;
  /** Operations of the defect without such a finding. */
  missedAt: string[];
  /** Ids of the checks with such a finding. */
  checks: string[];
  /** Findings that the defect does not explain. */
  noise: Finding[];
  /** Set when there is no judging: the run failed, or the service was refused as a whole. */
  trouble?: string;
}

export interface VariantProof {
  name: string;
  /** Findings that the variant does not explain. */
  noise: Finding[];
  /** Declared SHOULD requirements at which nothing was found. */
  unused: string[];
  trouble?: string;
}

export interface NullProof {
  name: string;
  conformant: boolean;
  verdict: string;
  /** Share of the checks that passed, 0 to 1. */
  passing: number;
  trouble?: string;
}

/** What a run, or the failure to have one, comes to. */
export type Outcome = { digest: Digest } | { error: string };

/** Judges a run against the reference with one defect. */
export function judgeDefect(defect: Defect, outcome: Outcome): DefectProof {
  const { name, requirement, operations, level, alsoBreaks = [] } = defect;
  const blank = { name, found: false, missedAt: [...operations], checks: [], noise: [] };
  const trouble = troubleOf(outcome);
  if (!("digest" in outcome)) return { ...blank, trouble: trouble ?? "" };
  const { findings } = outcome.digest;
  const own = findings.filter(
    (finding) => finding.requirements.includes(requirement) && atOne(finding, operations),
  );
  const right = own.filter(({ outcome }) => outcome === findingAt(level));
  const missedAt = operations.filter(
    (operation) => !right.some((finding) => finding.operation === operation),
  );
  const noise = findings.filter(
    (finding) =>
      !right.includes(finding) &&
      (finding.outcome === "suite-error" || !finding.requirements.some((id) => alsoBreaks.includes(id))),
  );
  const checks = right.map(({ check }) => check);
  return { name, found: right.length > 0, missedAt, checks, noise, ...(trouble ? { trouble } : {}) };
}

function atOne(finding: Finding, operations: readonly string[]): boolean {
  return operations.includes(finding.operation);
}

/** Judges a run against a conforming variant of the reference, or against the reference itself. */
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

/** Judges a run against a null service. That it cannot be judged at all is a good answer here. */
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

/** Whether the defect was found at each of its operations. */
export function isLocated(proof: DefectProof): boolean {
  return proof.found && proof.missedAt.length === 0;
}

/** Whether nothing was found that the defect does not explain, and the run itself was well. */
export function isQuiet(proof: DefectProof): boolean {
  return proof.noise.length === 0 && proof.trouble === undefined;
}

/** Whether the suite had nothing undeclared to say against the variant. */
export function isClean(proof: VariantProof): boolean {
  return proof.noise.length === 0 && proof.trouble === undefined;
}

/**
 * Checks whose outcome was not the same in all runs, each with the outcomes seen. With `skipsAgree`, a skip agrees with
 * whatever else was seen: of a service that changes while it is read, a check may say something or nothing.
 */
export function unstable(runs: readonly Digest[], skipsAgree = false): { check: string; seen: string[] }[] {
  const ids = new Set(runs.flatMap(({ outcomes }) => Object.keys(outcomes)));
  return [...ids].flatMap((check) => {
    const seen = [...new Set(runs.map(({ outcomes }) => outcomes[check] ?? "not planned"))];
    const counted = skipsAgree ? seen.filter((outcome) => !outcome.startsWith("skip: ")) : seen;
    return counted.length > 1 ? [{ check, seen }] : [];
  });
}
