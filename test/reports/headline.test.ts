import { describe, expect, it } from "vitest";
import { exitCodeOf } from "../../command/running/exit-codes.ts";
import { findingResults } from "../../reports/findings.ts";
import { renderJUnit } from "../../reports/formats/junit.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import { depthInWords, headline, mustCounts } from "../../reports/headline.ts";
import { renderHtml } from "../../reports/html/render.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { check, exchange, failing, reportOf } from "./example.ts";

const waived = { reason: "Repaired in May.", expires: "2026-06-01" };
const terminal = (report: Report) => renderTerminal(report, { color: false, style: "plain" });
const passing = (id: string) => check({ id, requirements: [id] });
/** A passed check for each MUST of the example report except LIST-COUNT, whose check each test adds. */
const others = reportOf([])
  .requirements.filter(({ id, level }) => level === "MUST" && id !== "LIST-COUNT")
  .map(({ id }) => passing(id));

describe("the headline", () => {
  it("says that a violated MUST is waived, and never that it was tested", () => {
    const report = reportOf([...others, failing({ requirements: ["LIST-COUNT"], waived })]);
    const { title, sentence } = headline(report);
    expect(report.verdict).toBe("conformant");
    expect(title).toBe("Conformant in scope but for waivers");
    expect(sentence).toContain(`${others.length} of ${others.length + 1} MUST requirements tested`);
    expect(sentence).toContain(
      "nothing else fails. 1 MUST requirement is violated and waived, until 2026-06-01.",
    );
    expect(mustCounts(report)).toMatchObject({ tested: others.length, failing: 0, waived: 1 });
    expect(terminal(report)).toContain("0 violated, 1 waived, 0 in scope untested");
    expect(renderMarkdown(report)).toContain("0 violated, 1 waived, 0 in scope untested");
  });

  it("leaves a MUST that has no check out of all counts", () => {
    const report = reportOf([passing("LIST-LIMIT")]);
    expect(mustCounts(report)).toMatchObject({ total: 1, tested: 1, outOfScope: 0 });
    expect(headline(report).sentence).toContain("1 of 1 MUST requirements");
  });

  it("names the depth, and its share of the whole", () => {
    const quick = reportOf([passing("LIST-LIMIT")], { depth: "quick", leftToOtherSeeds: 1 });
    const words = "epth quick: about 50 % of the checks, chosen by seed 20260302";
    expect(depthInWords(quick)).toBe(`d${words}`);
    for (const text of [headline(quick).sentence, terminal(quick), renderMarkdown(quick), renderHtml(quick)])
      expect(text).toContain(`D${words}.`);
    expect(depthInWords(reportOf([], { depth: "full", leftToOtherSeeds: 3 }))).toBe("depth full");
  });

  it("says nothing about the whole service after a selection", () => {
    const accepted = Array.from({ length: 12 }, (_, index) =>
      failing({
        id: `x${index}`,
        mustReject: "unauthenticated",
        actual: "status 200",
        expected: "it to be rejected (4xx)",
        evidence: [exchange({ offending: "status" })],
      }),
    );
    const whole = reportOf(accepted);
    const conclusion = "The service rejects nothing";
    expect(headline(whole).sentence).toContain(conclusion);
    const options = { ...whole.run.options, only: accepted.map(({ id }) => id), lastFailed: true };
    expect(headline({ ...whole, run: { ...whole.run, options } }).sentence).not.toContain(conclusion);
  });
});

describe("failures that are in the baseline too", () => {
  const known: CheckResult = failing({ id: "old", requirements: ["LIST-COUNT"], known: true });

  it("do not fail the run, nor make the service conformant", () => {
    const report = reportOf([...others, known]);
    expect(report.verdict).toBe("nonconformant");
    expect(exitCodeOf(report, false)).toBe(0);
    expect(report.summary).toMatchObject({ fail: 1, known: 1 });
    expect(validateReport({ ...report, findings: findingResults(report) })).toMatchObject({ valid: true });
    expect(findingResults(report)).toMatchObject([{ checks: ["old"], known: true }]);
    const { title, sentence } = headline(report);
    expect(title).toBe("Not conformant, but nothing new fails");
    expect(sentence).toContain("1 requirement is violated as in the baseline: 1 finding.");
    for (const text of [terminal(report), renderMarkdown(report), renderHtml(report)])
      expect(text).toContain("Known from the baseline");
    expect(renderJUnit(report)).toContain('message="known from the baseline: expected pagination.count');
    expect(renderJUnit(report)).not.toContain("<failure");
  });

  it("are shown beside new ones, which fail the run", () => {
    const report = reportOf([...others, known, failing({ id: "new", requirements: ["LIST-COUNT"] })]);
    expect(exitCodeOf(report, false)).toBe(1);
    expect(headline(report).title).toBe("Not conformant");
    expect(headline(report).sentence).toContain("1 requirement is violated: 1 finding, in 1 check.");
  });

  it("do not excuse what was not tested", () => {
    const untested = check({ id: "u", requirements: ["LIST-LIMIT"], outcome: "skip", reason: "drift" });
    const rest = others.filter(({ id }) => id !== "LIST-LIMIT");
    const report = reportOf([...rest, untested, known]);
    expect(exitCodeOf(report, false)).toBe(3);
    expect(headline(report).sentence).toContain(
      "Nothing new fails, but: 1 MUST requirement in scope was not tested.",
    );
  });

  it("are not covered by the waiver of another check", () => {
    const covered = failing({ id: "w", requirements: ["LIST-COUNT"], waived });
    expect(reportOf([...others, known, covered]).verdict).toBe("nonconformant");
  });
});
