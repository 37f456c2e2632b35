import type { Log, Notification, ReportingDescriptor, Result } from "sarif";
import { isFailing, isStrict } from "../outcome.ts";
import type { CheckResult, Level, Report } from "../report.ts";
import { shown } from "../text.ts";

const MAX_TEXT = 2_000;
const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS: Readonly<Record<Level, "error" | "warning" | "note">> = {
  MUST: "error",
  SHOULD: "warning",
  NOTE: "note",
};

/** Returns the failures and warnings as a SARIF log. */
export function sarifOf(report: Report): Log {
  const found = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  const broken = new Set(found.flatMap(({ requirements }) => requirements.slice(0, 1)));
  const faults = [...(report.problem === undefined ? [] : [report.problem]), ...(report.complaints ?? [])];
  const rules = report.requirements.filter(({ id }) => broken.has(id)).map(ruleOf);
  return {
    version: "2.1.0",
    $schema: SCHEMA,
    runs: [
      {
        tool: {
          driver: {
            name: report.suite.name,
            version: report.suite.version,
            informationUri: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html",
            rules,
          },
        },
        invocations: [
          {
            executionSuccessful: faults.length === 0,
            startTimeUtc: report.run.startedAt,
            ...(faults.length === 0 ? {} : { toolExecutionNotifications: faults.map(notificationOf) }),
          },
        ],
        results: found.map((check) => resultOf(check, isStrict(report), rules)),
        properties: { verdict: report.verdict, target: report.target.baseUrl, seed: report.run.seed },
      },
    ],
  };
}

export function renderSarif(report: Report): string {
  return `${JSON.stringify(sarifOf(report), null, 2)}\n`;
}

function notificationOf(fault: string): Notification {
  return { message: { text: shown(fault, MAX_TEXT) }, level: "error" };
}

function ruleOf({ id, level, section, statement }: Report["requirements"][number]): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: statement },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { section, level },
  };
}

function resultOf(check: CheckResult, strict: boolean, rules: readonly ReportingDescriptor[]): Result {
  const [requirement = ""] = check.requirements;
  return {
    ruleId: requirement,
    ruleIndex: rules.findIndex(({ id }) => id === requirement),
    level: isFailing(check, strict) || check.outcome === "fail" ? "error" : "warning",
    message: { text: shown(`${check.title}: ${check.message ?? check.outcome}`, MAX_TEXT) },
    locations: [
      {
        // Code-scanning views require a file for each result.
        physicalLocation: { artifactLocation: { uri: "spec/openapi.yaml" } },
        logicalLocations: [{ fullyQualifiedName: check.operation, kind: "function" }],
      },
    ],
    ...(check.known === true ? { baselineState: "unchanged" as const } : {}),
    partialFingerprints: { "checkId/v1": check.id },
    ...(check.waived === undefined
      ? {}
      : { suppressions: [{ kind: "external" as const, justification: check.waived.reason }] }),
  };
}
