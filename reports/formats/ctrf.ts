import { isFailing, isStrict, REASON_TEXT } from "../outcome.ts";
import type { CheckResult, Outcome, Report } from "../report.ts";
import { shown, visibleBlock } from "../text.ts";

const MAX_MESSAGE = 500;

interface CtrfTest {
  name: string;
  testId: string;
  status: "passed" | "failed" | "skipped" | "pending" | "other";
  rawStatus: Outcome;
  duration: number;
  suite: string[];
  message?: string;
  labels: Record<string, string>;
}

export interface CtrfReport {
  reportFormat: "CTRF";
  specVersion: string;
  timestamp: string;
  generatedBy: string;
  results: {
    tool: { name: string; version: string };
    summary: Record<
      "tests" | "passed" | "failed" | "skipped" | "pending" | "other" | "start" | "stop",
      number
    >;
    tests: CtrfTest[];
    extra: Record<string, unknown>;
  };
}

/**
 * Returns the report in the Common Test Report Format. Warnings, notes and unsteady checks neither pass nor
 * fail here.
 */
export function ctrfOf(report: Report): CtrfReport {
  const strict = isStrict(report);
  const tests = [...faultsOfRun(report), ...report.checks.map((check) => testOf(check, strict))];
  const count = (status: CtrfTest["status"]) => tests.filter((test) => test.status === status).length;
  const start = Date.parse(report.run.startedAt);
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    timestamp: report.run.startedAt,
    generatedBy: `${report.suite.name} ${report.suite.version}`,
    results: {
      tool: { name: report.suite.name, version: report.suite.version },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        skipped: count("skipped"),
        pending: count("pending"),
        other: count("other"),
        start,
        stop: start + report.run.durationMs,
      },
      tests,
      extra: {
        verdict: report.verdict,
        target: report.target.baseUrl,
        seed: report.run.seed,
        specification: `${report.spec.title} sha256:${report.spec.sha256}`,
        ...(report.problem === undefined ? {} : { problem: report.problem }),
      },
    },
  };
}

export function renderCtrf(report: Report): string {
  return `${JSON.stringify(ctrfOf(report), null, 2)}\n`;
}

/** Returns the faults of the run itself as tests. A run may fail, or judge nothing, though no check fails. */
function faultsOfRun({ problem, complaints = [] }: Report): CtrfTest[] {
  const fault = (id: string, name: string, message: string): CtrfTest => ({
    name,
    testId: id,
    status: "failed",
    rawStatus: "fail",
    duration: 0,
    suite: ["run"],
    message: shown(visibleBlock(message), MAX_MESSAGE),
    labels: {},
  });
  return [
    ...(problem === undefined ? [] : [fault("run/target", "the target can be judged", problem)]),
    ...complaints.map((each, index) => fault(`run/complaint ${index + 1}`, "the run has no complaint", each)),
  ];
}

/** Returns the check as a test of the Common Test Report Format. */
function testOf(check: CheckResult, strict: boolean): CtrfTest {
  const message = check.message ?? (check.reason === undefined ? undefined : REASON_TEXT[check.reason]);
  return {
    name: check.title,
    testId: check.id,
    status: statusOf(check, strict),
    rawStatus: check.outcome,
    duration: check.durationMs,
    suite: [check.suite],
    ...(message === undefined ? {} : { message: shown(visibleBlock(message), MAX_MESSAGE) }),
    labels: {
      requirement: check.requirements.join(" "),
      level: check.level,
      operation: check.operation,
      section: check.section,
    },
  };
}

function statusOf(check: CheckResult, strict: boolean): CtrfTest["status"] {
  if (isFailing(check, strict)) return "failed";
  if (check.outcome === "skip") return "skipped";
  return check.outcome === "pass" ? "passed" : "other";
}
