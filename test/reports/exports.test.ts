/** Reports for other tools (CTRF, SARIF and HAR) are valid by the schemas or types of these formats. */

import { createRequire } from "node:module";
import { Ajv } from "ajv";
import formatsModule from "ajv-formats";
import { validate } from "ctrf";
import { describe, expect, test } from "vitest";
import { ctrfOf } from "../../reports/formats/ctrf.ts";
import { harOf } from "../../reports/formats/har.ts";
import { sarifOf } from "../../reports/formats/sarif.ts";
import type { Report } from "../../reports/report.ts";
import { hostile, typicalReport } from "./example.ts";

const harSchemas = createRequire(import.meta.url)("har-schema") as Record<string, object>;
const REPORTS = { typicalReport: typicalReport(), hostile: hostile() };

describe.each(Object.entries(REPORTS))("%s report", (_, report) => {
  test("is valid CTRF, with every check and its outcome", () => {
    const ctrf = ctrfOf(report);
    expect(validate(JSON.parse(JSON.stringify(ctrf)))).toMatchObject({ valid: true });
    const { summary, tests } = ctrf.results;
    const ofChecks = tests.filter(({ suite }) => suite[0] !== "run");
    expect(ofChecks.map(({ testId }) => testId)).toEqual(report.checks.map(({ id }) => id));
    expect(summary.passed).toBe(report.checks.filter(({ outcome }) => outcome === "pass").length);
    expect(summary.passed + summary.failed + summary.skipped + summary.other).toBe(summary.tests);
    expect(summary.failed).toBe(report.summary.fail + tests.length - ofChecks.length);
  });

  test("is valid HAR, with every exchange once", () => {
    const ajv = new Ajv({ strict: false });
    formatsModule.default(ajv);
    for (const schema of Object.values(harSchemas)) {
      // The schemas name an older draft, but this validator can apply them without that name.
      const { $schema: _draft, ...rules } = schema as { $schema?: string };
      ajv.addSchema(rules);
    }
    const har = JSON.parse(JSON.stringify(harOf(report)));
    expect(ajv.validate("har.json#", har), ajv.errorsText()).toBe(true);
    const shown = new Set(
      report.checks.flatMap(({ evidence }) =>
        evidence.map(({ startedAt, request }) => JSON.stringify([startedAt, request])),
      ),
    );
    expect(har.log.entries).toHaveLength(shown.size);
  });

  test("is SARIF, with a rule for each violated requirement and a result for each finding", () => {
    const [run] = sarifOf(report).runs;
    const found = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    expect(run?.results).toHaveLength(found.length);
    const rules = run?.tool.driver.rules ?? [];
    for (const result of run?.results ?? []) {
      expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
      expect(["error", "warning"]).toContain(result.level);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
      expect(result.message.text).not.toMatch(/[\u0000-\u001f]/);
    }
  });
});

describe("a run in which no check fails", () => {
  const { checks, ...rest } = typicalReport();
  const passing: Report = { ...rest, checks: checks.filter(({ outcome }) => outcome === "pass") };
  test.each<[string, Partial<Report>, string]>([
    ["a complaint", { complaints: ["the waiver expired"] }, "the waiver expired"],
    ["a target that can't be judged", { problem: "nobody listens there" }, "nobody listens there"],
  ])("fails in CTRF and SARIF for %s", (_, change, message) => {
    const report = { ...passing, ...change };
    const ctrf = ctrfOf(report);
    expect(validate(JSON.parse(JSON.stringify(ctrf)))).toMatchObject({ valid: true });
    expect(ctrf.results.tests.filter(({ status }) => status === "failed")).toMatchObject([{ message }]);
    expect(ctrf.results.summary.failed).toBe(1);
    const [invocation] = sarifOf(report).runs[0]?.invocations ?? [];
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ message: { text: message } }],
    });
    expect(ctrfOf(passing).results.summary.failed).toBe(0);
  });
});
