/** Judges runs: did the suite find the defect, leave the variant alone, see through the null service? */

import type { Defect, Variant } from "../../reference/index.ts";
import type { Level } from "../../spec/model/spec.ts";
import type { Digest, Finding } from "./digest.ts";
import { findingAt } from "./digest.ts";

export interface DefectProof {
  name: string;
  /** A finding of the right level on one of its requirements, at some operation of the defect. */
  found: boolean;
  /** Operations of the defect without such a finding. */
  missedAt: string[];
  /** Ids of the checks with such a finding. */
  checks: string[];
  /** How many checks it met: those on its requirements at its operations, more where these miss it, or all. */
  met: Met;
  /** `requirement operation` of findings beside that, of a whole run. */
  stirred: string[];
  /** Set when there is no judging: the run failed, the service was refused as a whole, or the suite itself failed. */
  trouble?: string;
}

/** Which checks a run had. */
export type Met =
  | "requirements"
  | "requirements at depth full"
  | "operations"
  | "operations at depth full"
  | "whole";

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

/** Judges a run against the reference with one defect; `levels` has the level of each requirement. */
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
  const told = trouble ?? (failed ? `${failed.check}: ${failed.message}` : undefined);
  const others = findings.filter((finding) => !isOwn(finding));
  return {
    ...blank,
    found: own.length > 0,
    missedAt,
    checks: own.map(({ check }) => check),
    stirred: [...new Set(others.map((finding) => `${finding.requirements.join(" ")} ${finding.operation}`))],
    ...(told === undefined ? {} : { trouble: told }),
  };
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

/** Whether the run itself was well. */
export function isQuiet(proof: DefectProof): boolean {
  return proof.trouble === undefined;
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
