/**
 * How a violation differs from the expected behaviour, and the harm it can do. Findings are grouped and
 * ordered by both.
 */
import { decisive, faultyHeader } from "./exchange.ts";
import type { CheckResult, FindingResult } from "./report.ts";

export const ACCEPTED_FAULT = "accepted a request that must be rejected";

/**
 * The cause of a violation in words. They have no names, ids, values or sets of fields, so that they are the
 * same for every operation and version.
 */
export function causeOf(check: CheckResult): string {
  const exchange = decisive(check);
  const status = exchange?.response?.status;
  const offending = exchange?.offending;
  if (exchange !== undefined && exchange.response === undefined) return "not answered";
  if (status !== undefined && status >= 500) return "answered with a server error";
  if (offending === "status" && status !== undefined) {
    if (status >= 400) return "rejected a request that must be accepted";
    return check.mustReject === undefined ? "answered with another status" : ACCEPTED_FAULT;
  }
  if (faultyHeader(offending) !== undefined) return "an answer with another header";
  const told = DIFFERENCES.find(
    ({ expected, actual }) =>
      (expected?.test(check.expected ?? "") ?? true) && (actual?.test(check.actual ?? "") ?? true),
  );
  if (told !== undefined) return told.cause;
  return KEPT.has(check.suite) ? "another value than the sent one" : "another value";
}

const DIFFERENCES: readonly { expected?: RegExp; actual?: RegExp; cause: string }[] = [
  { expected: /^a body that is JSON/, cause: "a body that is no JSON" },
  { expected: /other space|one space only/, cause: "something of another space" },
  { expected: /\bstill\b/, cause: "changed something that must stay the same" },
  { expected: /no such field/, cause: "a field that must be absent" },
  { expected: /\bonce\b|no other record has|^one resource/, cause: "the same more than once" },
  { expected: /another resource under/, cause: "the same resource for another request" },
  { expected: /the resource \S+ again/, cause: "another resource for the same request" },
  { expected: /^as in the list/, cause: "a list and a single read that differ" },
  { expected: /^under \S+, as under/, cause: "another answer under another version" },
  { expected: /the same (?:answer|page)|^as with /, cause: "two answers that differ" },
  { actual: /^null\b/, cause: "null in place of a value" },
  {
    actual: /^(?:nothing|absent|undefined|missing|no |none|it is not there|not there)|left out|\babsent\b/i,
    cause: "something is missing",
  },
  {
    expected: /: (?:a (?:string|number|boolean)|an (?:integer|object|array))\b/,
    cause: "a value of another type",
  },
  { expected: /\bat most\b|^no more\b/, cause: "more than is allowed" },
  { expected: /\bat least\b|(?:for|because) there (?:is|are)|leads (?:on|to)/, cause: "less than required" },
  { expected: /^(?:count|total)\b/, cause: "a wrong number" },
];

const KEPT: ReadonlySet<string> = new Set(["creates", "updates"]);

const SECURITY: ReadonlySet<string> = new Set(["access", "spaces", "isolation", "idempotency"]);
const DATA: ReadonlySet<string> = new Set([
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

/** Requirements about access, whatever suite tests them. */
const OF_ACCESS = /^(?:AUTH|SPACE|ISOLATION|KEY)-/;

export function findingKind({
  suite,
  requirements,
}: Pick<CheckResult, "suite" | "requirements">): FindingResult["kind"] {
  if (SECURITY.has(suite) || requirements.some((id) => OF_ACCESS.test(id))) return "security";
  return DATA.has(suite) ? "data" : "shape";
}

/** The kinds of harm, the most harmful first. */
export const KINDS: readonly FindingResult["kind"][] = ["security", "data", "shape"];

const ALONGSIDE = / \(shown again by .*\)$/s;

/**
 * A sentence for each detail, and the number of omitted ones. The same detail at several operations counts
 * once.
 */
export function detailsOf(
  checks: readonly CheckResult[],
  first: CheckResult,
  max: number,
): { details: string[]; more: number } {
  const bareOf = (text: string, check: CheckResult) => text.replaceAll(check.operation, "…");
  const textOf = (check: CheckResult) => (check.message ?? check.title).replace(ALONGSIDE, "");
  const found = new Map<string, string>();
  const told = bareOf(textOf(first), first);
  for (const check of checks) {
    const text = textOf(check);
    const bare = bareOf(text, check);
    if (bare !== told && !found.has(bare)) found.set(bare, text);
  }
  const all = [...found.values()];
  return { details: all.slice(0, max), more: Math.max(0, all.length - max) };
}
