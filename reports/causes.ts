import type { DifferenceKind } from "../spec/model/difference.ts";
import { decisiveExchange, faultyHeader } from "./exchange.ts";
import type { CheckResult, FindingResult } from "./report.ts";

export const ACCEPTED_FAULT = "accepted a request that must be rejected";

/**
 * Returns in words how the check was violated. Equal violations form one finding, so the words have no ids or
 * values.
 */
export function causeOf(check: CheckResult): string {
  const exchange = decisiveExchange(check);
  const status = exchange?.response?.status;
  const offending = exchange?.offending;
  if (exchange !== undefined && exchange.response === undefined) return "not answered";
  if (status !== undefined && status >= 500) return "answered with a server error";
  if (offending === "status" && status !== undefined) {
    if (check.suite === "profile") return "answered with another status than the profile says";
    if (status >= 400) return "rejected a request that must be accepted";
    return check.mustReject === undefined ? "answered with another status" : ACCEPTED_FAULT;
  }
  if (faultyHeader(offending) !== undefined) return "an answer with another header";
  if (check.difference !== undefined) return CAUSES[check.difference];
  return SUITES_OF_SENT_VALUES.has(check.suite) ? "another value than the sent one" : "another value";
}

const CAUSES: Readonly<Record<DifferenceKind, string>> = {
  accepted: ACCEPTED_FAULT,
  "answers-differ": "two answers that differ",
  changed: "changed something that must stay the same",
  "list-differs": "a list and a single read that differ",
  missing: "something is missing",
  "must-be-absent": "a field that must be absent",
  "not-json": "a body that is no JSON",
  null: "null in place of a value",
  "other-resource": "another resource for the same request",
  "other-space": "something of another space",
  "other-type": "a value of another type",
  "other-version": "another answer under another version",
  repeated: "the same more than once",
  "same-resource": "the same resource for another request",
  "too-few": "less than required",
  "too-many": "more than is allowed",
  "wrong-number": "a wrong number",
};

const SUITES_OF_SENT_VALUES: ReadonlySet<string> = new Set(["creates", "updates"]);

const SECURITY_SUITES: ReadonlySet<string> = new Set(["access", "spaces", "isolation", "idempotency"]);
const DATA_SUITES: ReadonlySet<string> = new Set([
  "creates",
  "updates",
  "uniqueness",
  "consumption",
  "lists",
  "cursors",
  "item-cursors",
  "filters",
  "reads",
  "deliveries",
]);

const ACCESS_REQUIREMENT = /^(?:AUTH|SPACE|ISOLATION|KEY)-/;

export function findingKind({
  suite,
  requirements,
}: Pick<CheckResult, "suite" | "requirements">): FindingResult["kind"] {
  if (SECURITY_SUITES.has(suite) || requirements.some((id) => ACCESS_REQUIREMENT.test(id))) return "security";
  return DATA_SUITES.has(suite) ? "data" : "shape";
}

/** The worst harm comes first. */
export const KINDS: readonly FindingResult["kind"][] = ["security", "data", "shape"];

const ALONGSIDE = / \(shown again by .*\)$/s;

/** Returns up to `max` different messages of the checks, without their operation, and how many more there are. */
export function detailsOf(
  checks: readonly CheckResult[],
  first: CheckResult,
  max: number,
): { details: string[]; more: number } {
  const bareOf = (text: string, check: CheckResult) => text.replaceAll(check.operation, "…");
  const textOf = (check: CheckResult) => (check.message ?? check.title).replace(ALONGSIDE, "");
  const found = new Map<string, string>();
  const firstText = bareOf(textOf(first), first);
  for (const check of checks) {
    const text = textOf(check);
    const bare = bareOf(text, check);
    if (bare !== firstText && !found.has(bare)) found.set(bare, text);
  }
  const all = [...found.values()];
  return { details: all.slice(0, max), more: Math.max(0, all.length - max) };
}
