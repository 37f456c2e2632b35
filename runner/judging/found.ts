import type { Check } from "../../client/check.ts";
import type { Entry } from "../../history/entry.ts";
import { type Violation, violationMessage } from "../../history/result.ts";
import type { CheckResult, Exchange, SkipReason } from "../../reports/report.ts";
import type { DifferenceKind } from "../../spec/model/difference.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { describeCheck, evidenceOf, outcomeOfViolation } from "../judge.ts";

export interface ShownViolation {
  expected: string;
  actual: string;
  difference?: DifferenceKind;
  notImplemented?: true;
  evidence: Exchange[];
}

export interface Found {
  check: Check;
  held: number;
  violated: number;
  violation?: ShownViolation;
  suspicion?: ShownViolation;
  unsteady?: { message: string; evidence: Exchange[] };
  unexercised?: { reason: SkipReason; message: string };
}

const KEPT_BODY = 20_000;

/** Returns the exchange as reports show it, with bodies cut at the length that they keep. */
export function exchangeOf({ request, response, startedAt, durationMs }: Entry): Exchange {
  const { method, url, headers, body } = request;
  const sent = { method, url, headers: Object.fromEntries(headers) };
  const times = { startedAt: new Date(startedAt).toISOString(), durationMs };
  const whole = { request: { ...sent, body: body?.text.slice(0, KEPT_BODY) ?? null }, ...times };
  if ("fault" in response) return { ...whole, fault: response.message };
  const { status, body: answered } = response;
  const isCut = answered.cut || answered.text.length > KEPT_BODY;
  const received = {
    status,
    headers: Object.fromEntries(response.headers),
    body: answered.text.slice(0, KEPT_BODY),
    ...(isCut ? { truncated: true } : {}),
  };
  return { ...whole, response: received };
}

/** Returns the violation as the report on recorded traffic shows it. */
export function shownViolation(violation: Violation): ShownViolation {
  const { expected, actual, difference, notImplemented, shownBy } = violation;
  return {
    expected,
    actual,
    ...(difference && { difference }),
    ...(notImplemented && { notImplemented }),
    evidence: evidenceOf(shownBy, exchangeOf),
  };
}

/** Returns the result of a check of recorded traffic. */
export function resultOf(found: Found, spec: Spec): CheckResult {
  const { check, held, violation, suspicion, unsteady, unexercised } = found;
  const base = describeCheck(check, { spec });
  if (violation)
    return { ...base, ...violation, outcome: outcomeOfViolation(base), message: violationMessage(violation) };
  if (unsteady) return { ...base, ...unsteady, outcome: "unsteady" };
  if (suspicion)
    return {
      ...base,
      outcome: "skip",
      reason: "uncertain",
      message: `${violationMessage(suspicion)}; somebody else may have written in between`,
      evidence: suspicion.evidence,
    };
  if (held > 0) return { ...base, outcome: base.level === "NOTE" ? "note" : "pass" };
  return { ...base, outcome: "skip", ...(unexercised ?? NOTHING) };
}

const NOTHING = { reason: "no-data", message: "no exchange could have broken this" } as const;
