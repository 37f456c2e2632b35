import { describe, expect, it } from "vitest";
import { failures, findingResults } from "../../reports/findings.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import { headline } from "../../reports/headline.ts";
import { renderHtml } from "../../reports/html/render.ts";
import type { CheckResult } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { exchange, failing, reportOf, typicalReport } from "./example.ts";

/** A failed check: the operation accepts requests without valid credentials. */
function openAccess(operation: string, detail: string): CheckResult {
  return failing({
    id: `access/AUTH-MISSING ${operation} ${detail}`,
    suite: "access",
    operation,
    requirements: ["AUTH-MISSING"],
    mustReject: "unauthenticated",
    message: `expected ${operation} ${detail} to be rejected (4xx), got status 200`,
    expected: `${operation} ${detail} to be rejected (4xx)`,
    actual: "status 200",
    evidence: [exchange({ offending: "status" })],
  });
}

describe("findings", () => {
  it("merge everything with one cause, at any operation, field or value", () => {
    const operations = Array.from(
      { length: 25 },
      (_, index) => `GET /things-${String.fromCharCode(97 + index)}`,
    );
    const checks = operations.flatMap((operation) => [
      openAccess(operation, "without Authorization"),
      openAccess(operation, "with the id pc-4fa2"),
    ]);
    const [finding, ...others] = failures(reportOf(checks));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      cause: "accepted a request that must be rejected",
      kind: "security",
      operations,
    });
    expect(finding?.checks).toHaveLength(50);
  });

  it("are several if one requirement is violated in several ways", () => {
    const refused = exchange({ offending: "status", response: { status: 404, headers: {}, body: null } });
    const checks = [openAccess("GET /banks", "x"), { ...openAccess("GET /momos", "y"), evidence: [refused] }];
    expect(failures(reportOf(checks)).map(({ cause }) => cause)).toEqual([
      "accepted a request that must be rejected",
      "rejected a request that must be accepted",
    ]);
  });

  it("begin with the most dangerous, and name each violated requirement before repeating any", () => {
    const shape = failing({ suite: "responses", requirements: ["FIELD-TYPES"], id: "a" });
    const refused = exchange({ offending: "status", response: { status: 404, headers: {}, body: null } });
    const second = { ...openAccess("GET /momos", "y"), evidence: [refused] };
    const lost = failing({ suite: "updates", requirements: ["PAYOUT-METADATA"], id: "b" });
    const found = failures(reportOf([shape, lost, openAccess("GET /banks", "x"), second]));
    expect(found.map(({ requirement }) => requirement.id)).toEqual([
      "AUTH-MISSING",
      "PAYOUT-METADATA",
      "FIELD-TYPES",
      "AUTH-MISSING",
    ]);
  });

  it("do not depend on the wording of messages", () => {
    const kinds = ["changed", "missing", "null", "repeated", "too-many", "not-json"] as const;
    const checks = [
      openAccess("GET /banks", "without Authorization"),
      ...kinds.map((difference, index) =>
        failing({ id: `creates/${index}`, suite: "creates", requirements: ["PAYOUT-METADATA"], difference }),
      ),
      ...(["LIST-COUNT", "FIELD-TYPES"] as const).map((requirement) =>
        failing({ id: `pagination/${requirement}`, requirements: [requirement], difference: "wrong-number" }),
      ),
    ];
    const reworded = checks.map((check, index) => {
      const words = `words ${index}`;
      return { ...check, title: words, message: words, expected: words, actual: words };
    });
    const [found, other] = [reportOf(checks), reportOf(reworded)];
    expect(new Set(findingResults(found).map(({ cause }) => cause)).size).toBe(kinds.length + 3);
    expect(findingResults(other)).toEqual(findingResults(found));
    expect(findingResults(found).filter(({ followsFrom }) => followsFrom !== undefined)).toHaveLength(1);
    expect(headline(other)).toEqual(headline(found));
  });

  it("are listed below the finding that causes them, and are counted", () => {
    const anonymous = exchange({ offending: "status" });
    anonymous.request.headers = {};
    const open = { suite: "access", operation: "PATCH /codes", evidence: [anonymous] };
    const cause = failing({ ...open, id: "a", requirements: ["AUTH-MISSING"] });
    const { offending: _, ...unmarked } = anonymous;
    const changed = { ...open, suite: "updates", evidence: [unmarked, exchange()] };
    const effect = failing({
      ...changed,
      id: "b",
      requirements: ["PAYOUT-METADATA"],
      expected: "still pending",
      difference: "changed",
    });
    const unrelated = failing({ ...changed, id: "c", requirements: ["LIST-COUNT"], operation: "GET /banks" });
    const report = reportOf([cause, effect, unrelated]);
    const linked = failures(report).map(({ requirement, follows }) => [
      requirement.id,
      follows?.requirement.id,
    ]);
    expect(linked).toEqual([
      ["AUTH-MISSING", undefined],
      ["LIST-COUNT", undefined],
      ["PAYOUT-METADATA", "AUTH-MISSING"],
    ]);
    expect(findingResults(report)[2]?.followsFrom).toBe(findingResults(report)[0]?.cause);
    const text = renderTerminal(report, { color: false, style: "plain" });
    expect(text).toContain("3 findings (1 follows from others)");
    expect(text).toMatch(
      /what follows from it\n {4}- PAYOUT-METADATA: changed something that must stay the same/,
    );
    expect(renderMarkdown(report)).toMatch(/- What follows from it:\n {2}- `PAYOUT-METADATA`/);
    expect(renderHtml(report)).toContain("What follows from it");
  });

  it("about a service that rejects nothing are summed up in the headline", () => {
    const checks = Array.from({ length: 12 }, (_, index) =>
      openAccess(`GET /things-${index}`, "without Authorization"),
    );
    expect(headline(reportOf(checks)).sentence).toContain(
      "The service rejects nothing: 12 kinds of invalid calls",
    );
    const refusing = { ...failing({ id: "x", mustReject: "unauthenticated" }), outcome: "pass" as const };
    expect(headline(reportOf([...checks, refusing])).sentence).not.toContain("rejects nothing");
  });

  it("are absent from an inconclusive run, which says what would make it conclusive", () => {
    const skipped = (change: Partial<CheckResult>): CheckResult => ({
      ...failing({ id: String(change.message), requirements: ["ACCOUNT-REFERENCE-UNIQUE"], ...change }),
      outcome: "skip",
      evidence: [],
    });
    const tested = { ...failing({ id: "tested" }), outcome: "pass" as const, evidence: [] };
    const report = reportOf([
      tested,
      skipped({ reason: "declined", message: "a quota, perhaps", remedy: { room: "POST /things" } }),
      skipped({ reason: "no-data", message: "nothing", operation: "GET /things" }),
      // This skip leaves nothing open, because another check of its requirement passed.
      skipped({ reason: "drift", message: "it moved", requirements: tested.requirements }),
    ]);
    const { sentence } = headline({ ...report, verdict: "inconclusive" });
    expect(sentence).toContain(
      "What would decide it: a space that takes more by POST /things; more data on the service for GET /things.",
    );
    expect(sentence).not.toContain("leave alone");
    expect(headline({ ...report, verdict: "conformant" }).sentence).not.toContain("would decide");
  });

  it("are in report.json, with every violation in exactly one", () => {
    const report = typicalReport();
    const findings = findingResults(report);
    expect(validateReport({ ...report, findings })).toMatchObject({ valid: true });
    const violated = report.checks.filter(
      ({ outcome, waived }) => ["fail", "warn"].includes(outcome) && waived === undefined,
    );
    expect(findings.flatMap(({ checks }) => checks).sort()).toEqual(violated.map(({ id }) => id).sort());
  });

  it("come before the matrix on the page, and are counted apart from checks everywhere", () => {
    const report = reportOf([openAccess("GET /banks", "x"), openAccess("GET /momos", "y")]);
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
