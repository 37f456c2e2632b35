import { describe, expect, it } from "vitest";
import { failures, findingResults } from "../../reports/findings.ts";
import { renderHtml } from "../../reports/html/render.ts";
import { renderMarkdown } from "../../reports/markdown.ts";
import type { CheckResult } from "../../reports/report.ts";
import { renderTerminal } from "../../reports/terminal.ts";
import { validateReport } from "../../reports/validate.ts";
import { believable, exchange, failing, reportOf } from "./example.ts";

/** An operation that answers whoever asks, told by one check. */
function open(operation: string, detail: string): CheckResult {
  return failing({
    id: `access/AUTH-MISSING ${operation} ${detail}`,
    suite: "access",
    operation,
    requirements: ["AUTH-MISSING"],
    message: `expected ${operation} ${detail} to be rejected (4xx), got status 200`,
    expected: `${operation} ${detail} to be rejected (4xx)`,
    actual: "status 200",
    evidence: [exchange({ offending: "status" })],
  });
}

describe("findings", () => {
  it("are one for one cause, whatever operation, detail or value shows it", () => {
    const operations = Array.from(
      { length: 25 },
      (_, index) => `GET /things-${String.fromCharCode(97 + index)}`,
    );
    const checks = operations.flatMap((operation) => [
      open(operation, "without Authorization"),
      open(operation, "with the id pc-4fa2"),
    ]);
    const [finding, ...others] = failures(reportOf(checks));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ cause: "accepted what is to be rejected", kind: "security", operations });
    expect(finding?.checks).toHaveLength(50);
  });

  it("are several where one requirement is broken in several ways", () => {
    const refused = exchange({ offending: "status", response: { status: 404, headers: {}, body: null } });
    const checks = [open("GET /banks", "x"), { ...open("GET /momos", "y"), evidence: [refused] }];
    expect(failures(reportOf(checks)).map(({ cause }) => cause)).toEqual([
      "accepted what is to be rejected",
      "refused what is to be accepted",
    ]);
  });

  it("begin with what endangers most, and name each violated requirement before any a second time", () => {
    const shape = failing({ suite: "responses", requirements: ["FIELD-TYPES"], id: "a" });
    const refused = exchange({ offending: "status", response: { status: 404, headers: {}, body: null } });
    const second = { ...open("GET /momos", "y"), evidence: [refused] };
    const lost = failing({ suite: "updates", requirements: ["PAYOUT-METADATA"], id: "b" });
    const found = failures(reportOf([shape, lost, open("GET /banks", "x"), second]));
    expect(found.map(({ requirement }) => requirement.id)).toEqual([
      "AUTH-MISSING",
      "PAYOUT-METADATA",
      "FIELD-TYPES",
      "AUTH-MISSING",
    ]);
  });

  it("stand in report.json, every violation in exactly one", () => {
    const report = believable();
    const findings = findingResults(report);
    expect(validateReport({ ...report, findings })).toMatchObject({ valid: true });
    const violated = report.checks.filter(
      ({ outcome, waived }) => ["fail", "warn"].includes(outcome) && waived === undefined,
    );
    expect(findings.flatMap(({ checks }) => checks).sort()).toEqual(violated.map(({ id }) => id).sort());
  });

  it("stand before the matrix on the page, and are counted apart from checks everywhere", () => {
    const report = reportOf([open("GET /banks", "x"), open("GET /momos", "y")]);
    const page = renderHtml(report);
    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="matrix"'));
    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="overview"'));
    expect(page).toContain("1 finding, in 2 checks");
    expect(renderMarkdown(report)).toContain("## Failures (1 finding, 2 checks)");
    expect(renderTerminal(report, { color: false, style: "plain" })).toContain(
      "Failures: 1 finding, 2 checks",
    );
  });
});
