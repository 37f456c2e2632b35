import { describe, expect, it } from "vitest";
import { renderJson } from "../../reports/formats/render-json.ts";
import { OUTCOMES, REASON_TEXT } from "../../reports/outcome.ts";
import schema from "../../reports/report.schema.json" with { type: "json" };
import type { Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { check, hostile, large, reportOf, typicalReport } from "./example.ts";

/** An example report, written and parsed again, then changed by `change`. */
function changed(change: (report: Report) => void): unknown {
  const value: Report = JSON.parse(renderJson(typicalReport()));
  change(value);
  return value;
}

function errorsOf(value: unknown): string {
  const result = validateReport(value);
  return result.valid ? "" : result.errors.join("\n");
}

describe("the schema of reports", () => {
  it.each([
    ["a typical run", typicalReport],
    ["hostile bytes", () => hostile()],
    ["no check at all", () => reportOf([])],
    ["thousands of checks", large],
  ])("accepts %s, written and read back", (_, build) => {
    const report: Report = build();
    const read: unknown = JSON.parse(renderJson(report));
    expect(errorsOf(read)).toBe("");
    expect(read).toEqual(report);
  });

  it("allows new fields", () => {
    expect(errorsOf({ ...typicalReport(), added: { later: true } })).toBe("");
  });

  it("requires a reason on every skip, and on nothing else", () => {
    const { reason: _, ...unexplained } = check({ outcome: "skip", reason: "drift" });
    expect(errorsOf(reportOf([unexplained]))).toContain("reason");
    expect(errorsOf(reportOf([check({ outcome: "pass", reason: "drift" })]))).toContain("/checks/0/reason");
  });

  it.each<[string, (report: Report) => void, string]>([
    ["an unknown outcome", (r) => Object.assign(r.checks[0] ?? {}, { outcome: "ok" }), "/checks/0/outcome"],
    ["an unknown verdict", (r) => Object.assign(r, { verdict: "fine" }), "/verdict"],
    ["a count that is no number", (r) => Object.assign(r.summary, { pass: "3" }), "/summary/pass"],
    ["a negative count", (r) => Object.assign(r.run, { requests: -1 }), "/run/requests"],
    ["a time that is none", (r) => Object.assign(r.run, { startedAt: "yesterday" }), "/run/startedAt"],
    ["another version", (r) => Object.assign(r, { schemaVersion: 2 }), "/schemaVersion"],
    ["no checks", (r) => Reflect.deleteProperty(r, "checks"), "checks"],
  ])("refuses %s, and says at which place", (_, change, where) => {
    expect(errorsOf(changed(change))).toContain(where);
  });

  it.each([null, 3, "report", [], {}])("refuses %j", (value) => {
    expect(validateReport(value).valid).toBe(false);
  });

  it("names the same reasons as the type", () => {
    expect(new Set(schema.$defs.reason.enum)).toEqual(new Set(Object.keys(REASON_TEXT)));
    expect(new Set(schema.$defs.outcome.enum)).toEqual(new Set(OUTCOMES));
  });

  it("limits the number of errors", () => {
    const result = validateReport({ ...typicalReport(), checks: Array.from({ length: 500 }, () => ({})) });
    expect(result.valid === false && result.errors.length).toBeLessThan(30);
  });
});
