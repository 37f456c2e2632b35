/** What kind of difference a check found, and what it endangers: what findings are grouped and ordered by. */
import { decisive } from "./exchange.ts";
import type { CheckResult, FindingResult } from "./report.ts";

/**
 * The kind of a difference in words that hold for every operation, version and detail: names, ids, values and sets of
 * fields never stand in it.
 */
export function causeOf(check: CheckResult): string {
  const exchange = decisive(check);
  const status = exchange?.response?.status;
  const offending = exchange?.offending;
  if (exchange !== undefined && exchange.response === undefined) return "not answered";
  if (status !== undefined && status >= 500) return "answered with a server error";
  if (offending === "status" && status !== undefined) {
    if (status >= 400) return "refused what is to be accepted";
    return /reject/.test(`${check.expected} ${check.title}`)
      ? "accepted what is to be rejected"
      : "answered with another status";
  }
  if (offending?.startsWith("header:") === true) return "an answer with another header";
  if (/^(nothing|absent|undefined|missing|no |none|it is not there|not there)/i.test(check.actual ?? ""))
    return "something is missing";
  if (offending?.startsWith("/") === true) return "another value";
  return "another outcome";
}

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

/** What a fault endangers, from the suite that found it. */
export function findingKind({ suite }: Pick<CheckResult, "suite">): FindingResult["kind"] {
  if (SECURITY.has(suite)) return "security";
  return DATA.has(suite) ? "data" : "shape";
}

/** From what matters most. */
export const KINDS: readonly FindingResult["kind"][] = ["security", "data", "shape"];

/** What distinguishes the checks of a finding from each other, as few words as tell them apart: `expected, got actual`. */
export function detailsOf(checks: readonly CheckResult[], max: number): { details: string[]; more: number } {
  const found = new Map<string, string>();
  for (const check of checks) {
    const text = check.message ?? check.title;
    const bare = text.replaceAll(check.operation, "…");
    if (!found.has(bare)) found.set(bare, text);
  }
  const all = [...found.values()];
  return { details: all.slice(0, max), more: Math.max(0, all.length - max) };
}
