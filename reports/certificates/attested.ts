import { reasonsOf } from "../outcome.ts";
import type { CheckResult, Report, RequirementResult } from "../report.ts";

/** A MUST in a certificate. `weaker` means that only some of its checks were tested. */
export interface AttestedSentence {
  requirement: string;
  section: string;
  sentence: string;
  standing: "tested" | "weaker" | "waived" | "out of scope";
  tested: number;
  checks: number;
  why?: string;
}

export interface Reservation {
  requirement: string;
  section: string;
  sentence: string;
  operations: string[];
}

export function attestedScope({ requirements, checks }: Report): AttestedSentence[] {
  const known = new Map(checks.map((check) => [check.id, check]));
  return requirements
    .filter(({ level }) => level === "MUST")
    .map((requirement) => attestedSentence(requirement, known));
}

/** Returns how a certificate states this requirement: tested, tested in part, waived or out of scope. */
function attestedSentence(requirement: RequirementResult, known: Map<string, CheckResult>): AttestedSentence {
  const { id, section, statement, scopeReason } = requirement;
  const all = requirement.checks.flatMap((check) => known.get(check) ?? []);
  const offered = all.filter(({ reason }) => reason !== "not-offered");
  const own = offered.length > 0 ? offered : all;
  const tested = own.filter(({ outcome }) => ["pass", "warn", "fail"].includes(outcome)).length;
  const waivers = requirement.waived ? own.flatMap(({ waived }) => waived ?? []) : [];
  const waived = new Set(waivers.map(({ reason, expires }) => `${reason} (until ${expires})`));
  const standing = waived.size > 0 ? "waived" : standingOf(tested, own.length);
  const lacking = standing === "tested" ? undefined : (scopeReason ?? reasonsOf(own));
  const why = standing === "waived" ? [...waived].join("; ") : lacking;
  return {
    requirement: id,
    section,
    sentence: statement,
    standing,
    tested,
    checks: own.length,
    ...(why === undefined || why === "" ? {} : { why }),
  };
}

function standingOf(tested: number, total: number): "out of scope" | "weaker" | "tested" {
  if (tested === 0) return "out of scope";
  return tested < total ? "weaker" : "tested";
}

export function notOfferedIn({ operations = [] }: Pick<Report, "operations">): string[] {
  return operations.filter(({ offered }) => offered === false).map(({ operation }) => operation);
}

/** Returns the violated SHOULD requirements, which a certificate names as reservations. */
export function reservationsOf({ requirements, checks }: Report): Reservation[] {
  return requirements
    .filter(({ level, outcome }) => level === "SHOULD" && (outcome === "warn" || outcome === "fail"))
    .map(({ id, section, statement }) => {
      const broken = checks.filter(
        (check) => check.requirements.includes(id) && ["warn", "fail"].includes(check.outcome),
      );
      const operations = [...new Set(broken.map(({ operation }) => operation))];
      return { requirement: id, section, sentence: statement, operations };
    });
}
