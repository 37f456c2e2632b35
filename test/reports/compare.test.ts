import MarkdownIt from "markdown-it";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Change, compareReports } from "../../reports/comparing/compare.ts";
import {
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from "../../reports/comparing/comparison-text.ts";
import { renderComparisonHtml } from "../../reports/html/comparison.ts";
import type { CheckResult, Observation, Outcome, Report } from "../../reports/report.ts";
import { launchBrowser, skipBrowserTests } from "../browser.ts";
import { check, failing, hostile, large, reportOf, typicalReport } from "./example.ts";
import { accessibilityFaults, overflow, withPage } from "./page.ts";

function one(outcome: Outcome, change: Partial<CheckResult> = {}): CheckResult {
  if (outcome === "skip") return check({ outcome, reason: "no-data", ...change });
  return outcome === "fail" ? failing(change) : check({ outcome, ...change });
}

function strict(report: Report): Report {
  return { ...report, run: { ...report.run, options: { ...report.run.options, strict: true } } };
}

const compared = (before: CheckResult[], after: CheckResult[]) =>
  compareReports(reportOf(before), reportOf(after));
const kinds = (changes: Change[]) => changes.map((change) => change.kind);

describe("comparing two reports", () => {
  it("finds nothing between a report and itself", () => {
    const { conditions, regressions, fixes, newlyTested, noLongerTested, otherChanges, observations } =
      compareReports(typicalReport(), typicalReport());
    for (const list of [
      conditions,
      regressions,
      fixes,
      newlyTested,
      noLongerTested,
      otherChanges,
      observations,
    ]) {
      expect(list).toEqual([]);
    }
  });

  it.each<[Outcome, Outcome, string]>([
    ["pass", "fail", "regressions"],
    ["warn", "fail", "regressions"],
    ["note", "fail", "regressions"],
    ["fail", "pass", "fixes"],
    ["fail", "warn", "fixes"],
    ["skip", "pass", "newlyTested"],
    ["skip", "fail", "newlyTested"],
    ["pass", "skip", "noLongerTested"],
    ["fail", "skip", "noLongerTested"],
    ["pass", "warn", "otherChanges"],
    ["warn", "pass", "otherChanges"],
  ])("calls %s to %s one of the %s, for the check and its requirement", (before, after, place) => {
    const comparison = compared([one(before)], [one(after)]);
    for (const list of ["regressions", "fixes", "newlyTested", "noLongerTested", "otherChanges"] as const) {
      expect(kinds(comparison[list])).toEqual(list === place ? ["requirement", "check"] : []);
    }
  });

  it("compares all versions of a full run with the one that a quick run tried", () => {
    const quick = [one("pass", { id: "lists/LIST-COUNT GET /banks" })];
    const full = ["none", "caph.2025-06-20"].map((version, index) =>
      one(index === 0 ? "pass" : "fail", { id: `lists/LIST-COUNT GET /banks @${version}` }),
    );
    const { regressions, newlyTested, noLongerTested } = compared(quick, full);
    expect(regressions.map(({ id }) => id)).toEqual(["LIST-COUNT", "lists/LIST-COUNT GET /banks"]);
    expect([...newlyTested, ...noLongerTested]).toEqual([]);
    expect(regressions[1]).toMatchObject({ exchange: { offending: "/pagination/count" } });
    const back = compared(full, quick);
    expect(back.fixes.map(({ id }) => id)).toEqual(["LIST-COUNT", "lists/LIST-COUNT GET /banks"]);
    expect(back.noLongerTested).toEqual([]);
  });

  it("calls nothing lost or new that another seed would test at another operation", () => {
    const id = "lists/LIST-COUNT a list";
    const [banks, momos] = ["GET /banks", "GET /momos"] as const;
    const at = (operation: string, outcome: Outcome) =>
      one(outcome, { id, operation, ...(outcome === "skip" ? { reason: "no-fixture" } : {}) });
    const changes = (old: CheckResult, now: CheckResult) => {
      const { newlyTested, noLongerTested } = compared([old], [now]);
      return [newlyTested.length, noLongerTested.length];
    };
    expect(changes(at(banks, "pass"), at(momos, "skip"))).toEqual([0, 0]);
    expect(changes(at(momos, "skip"), at(banks, "pass"))).toEqual([0, 0]);
    // A new failure always counts. So does a skip at an operation that was tested before.
    expect(changes(at(momos, "skip"), at(banks, "fail"))).toEqual([2, 0]);
    expect(changes(at(banks, "pass"), at(banks, "skip"))).toEqual([0, 2]);
  });

  it("calls a warn a regression under strict", () => {
    const warned = strict(reportOf([one("warn")]));
    expect(kinds(compareReports(reportOf([one("pass")]), warned).regressions)).toEqual([
      "requirement",
      "check",
    ]);
    expect(compareReports(reportOf([one("warn")]), warned).regressions).toEqual([]);
  });

  it("calls neither a new waived fault nor an ended waiver a regression", () => {
    const waived = failing({ waived: { reason: "known", expires: "2026-06-01" } });
    expect(compared([one("pass")], [waived]).regressions).toEqual([]);
    expect(compared([one("pass")], [waived]).otherChanges).toHaveLength(2);
    expect(compared([waived], [one("fail")]).regressions).toEqual([]);
    expect(compared([waived], [one("fail")]).otherChanges).toHaveLength(2);
  });

  it("says of a new waived fault that it fails now, and that a waiver covers it", () => {
    const waived = failing({ waived: { reason: "known", expires: "2026-06-01" } });
    const comparison = compared([one("pass")], [waived]);
    const said = "Nothing that held before fails now, but for 1 requirement and 1 check that waivers cover.";
    expect(renderComparisonText(comparison, { color: false })).toContain(said);
    expect(renderComparisonText(comparison, { color: false })).toContain("pass -> fail (waived)  LIST-COUNT");
    expect(renderComparisonMarkdown(comparison)).toContain("pass → fail (waived)");
    expect(renderComparisonHtml(comparison)).toContain("(waived)");
    expect(renderComparisonText(compared([waived], [waived]), { color: false })).not.toContain("but for");
  });

  it("doubts a run that tests a check no longer, though another one tests its requirement", () => {
    const [kept, other] = [one("pass"), one("pass", { id: "lists/other" })];
    const doubts = ["1 check that was tested before is not tested now."];
    expect(compared([kept, other], [kept, one("skip", { id: "lists/other" })]).doubts).toEqual(doubts);
    expect(compared([kept, other], [kept]).doubts).toEqual(doubts);
    const newer = { ...reportOf([kept]), suite: { name: "payments-conformance", version: "9.0.0" } };
    expect(compareReports(reportOf([kept, other]), newer).doubts).toEqual([]);
  });

  it("doubts a run whose edition lacks most of the requirements that were tested before", () => {
    const old = reportOf(
      ["LIST-COUNT", "LIST-LIMIT", "LIST-ORDER"].map((requirement) =>
        one("pass", { id: `lists/${requirement}`, requirements: [requirement] }),
      ),
    );
    const withFirst = (left: number): Report => {
      const requirements = old.requirements.filter(({ outcome }) => outcome === "pass").slice(0, left);
      const known = new Set(requirements.map(({ id }) => id));
      const checks = old.checks.filter((each) => each.requirements.every((id) => known.has(id)));
      return { ...old, spec: { ...old.spec, sha256: "f".repeat(64) }, requirements, checks };
    };
    const doubts = [
      "The specification of the new run lacks 2 of the 3 requirements that the old run tested.",
    ];
    expect(compareReports(old, withFirst(1)).doubts).toEqual(doubts);
    expect(compareReports(old, withFirst(2)).doubts).toEqual([]);
  });

  it("reports checks that only one report has", () => {
    const [kept, other] = [one("pass"), one("pass", { id: "lists/other" })];
    const came = compared([kept], [kept, other]).newlyTested;
    expect(came).toMatchObject([
      { kind: "check", id: "lists/other", old: null, new: "pass", failing: false },
    ]);
    expect(compared([kept, other], [kept]).noLongerTested).toMatchObject([{ old: "pass", new: null }]);
  });

  describe("if the specification is silent", () => {
    const seen = (value: string, change: Partial<Observation> = {}): Observation => ({
      requirement: "REJECTION-STATUS",
      operation: "POST /v1/financial-accounts",
      practice: "rejection",
      subject: "status of a duplicate reference",
      value,
      ...(/^\d+$/.test(value) ? { status: Number(value) } : {}),
      ...change,
    });
    const between = (before: Observation[], after: Observation[], ...failOnChanges: string[]) =>
      compareReports(reportOf([], { observations: before }), reportOf([], { observations: after }), {
        failOnChanges,
      });
    const fields = ["name", "description", "metadata"];
    const rejected = (status: number) =>
      fields.map((subject) =>
        seen(`rejected (${status})`, {
          practice: "brokenField",
          requirement: "CREATE-OPEN-VALUES",
          subject,
          status,
        }),
      );

    it("reports what both runs asked, and nothing that only one run asked", () => {
      const { observations } = between(
        [
          seen("409"),
          seen("x", { subject: "gone" }),
          seen("1", { subject: "both" }),
          seen("2", { subject: "both" }),
        ],
        [
          seen("422"),
          seen("y", { subject: "new" }),
          seen("2", { subject: "both" }),
          seen("1", { subject: "both" }),
        ],
      );
      expect(observations).toMatchObject([
        { subject: "status of a duplicate reference", old: "409", new: "422", failing: false },
      ]);
    });

    it("reports a decision once, with its count", () => {
      const comparison = between([seen("400"), ...rejected(400)], [seen("422"), ...rejected(422)]);
      expect(comparison.observations).toHaveLength(4);
      expect(comparison.decisions).toMatchObject([
        {
          about: "status of rejections",
          old: "400",
          new: "422",
          count: 4,
          operations: ["POST /v1/financial-accounts"],
        },
      ]);
      const text = renderComparisonText(comparison, { color: false });
      expect(text).toContain("status of rejections: 400 -> 422, 4 times at 1 operation");
      expect(text).not.toContain("rejected (400)");
      expect(renderComparisonMarkdown(comparison)).toContain("1 decision (4 observations)");
      expect(renderComparisonHtml(comparison)).toContain("1 decision (4 observations) changed");
    });

    it("keeps different decisions apart", () => {
      const { decisions } = between(
        [
          seen("400"),
          seen("401", { subject: "no token" }),
          ...rejected(400),
          seen("Bearer", { practice: "challenge" }),
        ],
        [
          seen("422"),
          seen("403", { subject: "no token" }),
          ...fields.map((subject) => ({
            ...rejected(400)[0],
            ...seen("accepted (200)", {
              practice: "brokenField",
              requirement: "CREATE-OPEN-VALUES",
              subject,
              status: 200,
            }),
          })),
          seen("none", { practice: "challenge" }),
        ],
      );
      expect(decisions.map(({ old, new: now, count }) => [old, now, count])).toEqual([
        ["rejected (400)", "accepted (200)", 3],
        ["400; Bearer", "422; none", 1],
        ["401", "403", 1],
      ]);
    });

    it.each(["REJECTION-*", "POST /v1/financial-accounts", "rejection"])(
      "fails for changes that %s chooses",
      (pattern) => {
        const comparison = between([seen("409")], [seen("422")], pattern);
        expect(comparison.observations).toMatchObject([{ failing: true }]);
        expect(comparison.decisions).toMatchObject([{ failing: true }]);
        expect(renderComparisonMarkdown(comparison)).toContain("# ❌ 1 chosen observation changed");
        expect(between([seen("409")], [seen("409")], pattern).observations).toEqual([]);
      },
    );

    it("does not fail for changes that no pattern chooses", () => {
      const comparison = between([seen("409")], [seen("422")], "CREATE-*");
      expect(comparison.observations).toMatchObject([{ failing: false }]);
      expect(renderComparisonMarkdown(comparison)).toContain("# ✅ No regression");
    });
  });

  it("compares a check that only one depth has only if it fails", () => {
    const kept = one("pass", { id: "lists/both" });
    const full = (outcome: Outcome) => ({
      ...reportOf([kept, one(outcome, { id: "lists/full" })]),
      depth: "full" as const,
    });
    const quick = { ...reportOf([kept, one("pass", { id: "lists/sampled" })]), depth: "quick" as const };
    const calm = compareReports(quick, full("pass"));
    expect([...calm.newlyTested, ...calm.noLongerTested]).toEqual([]);
    expect(calm.notCompared).toEqual({ old: 1, new: 1 });
    expect(renderComparisonText(calm, { color: false })).toContain(
      "have no counterpart and are not compared",
    );
    expect(compareReports(quick, full("fail")).newlyTested.map(({ id }) => id)).toEqual(["lists/full"]);
  });

  it("separates differences of the test from those of the service", () => {
    const before = typicalReport();
    const after: Report = {
      ...before,
      suite: { ...before.suite, version: "0.2.0" },
      spec: { ...before.spec, sha256: "other" },
      run: { ...before.run, seed: 7, options: { ...before.run.options, concurrency: 1, only: ["GET *"] } },
    };
    const { conditions, regressions } = compareReports(before, after);
    expect(regressions).toEqual([]);
    expect(conditions.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "specification specification",
      "suite suite version",
      "seed seed",
      "setting concurrency",
      "setting only",
    ]);
    expect(renderComparisonText(compareReports(before, after), { color: false })).not.toContain(
      "conditions of the",
    );
    const worse = compareReports(before, {
      ...after,
      observations: typicalReport().observations.map((each) => ({ ...each, value: "other" })),
    });
    expect(renderComparisonText(worse, { color: false })).toContain("4 conditions of the runs differ");
  });
});

describe("a comparison as text", () => {
  const regressed = compared([one("pass")], [one("fail")]);

  it("names the regression first and last", () => {
    const text = renderComparisonText(regressed, { color: false });
    expect(text).toContain("pass -> fail  LIST-COUNT");
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^1 REGRESSION/);
    expect(renderComparisonMarkdown(regressed)).toContain("# ❌ 1 regression");
    expect(JSON.parse(renderComparisonJson(regressed))).toEqual(JSON.parse(JSON.stringify(regressed)));
  });

  it("is inert and limited in size, whatever was sent", () => {
    const evil = compareReports(reportOf([]), hostile());
    expect(renderComparisonText(evil, { color: false }).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    const tokens = new MarkdownIt({ html: true, linkify: true }).parse(renderComparisonMarkdown(evil), {});
    const active = tokens
      .flatMap((token) => [token, ...(token.children ?? [])])
      .filter((token) => /^(html|link|image|strong|em_)/.test(token.type));
    expect(active).toEqual([]);
    const many = compareReports(reportOf([]), large());
    expect(renderComparisonMarkdown(many).length).toBeLessThan(65_000);
    expect(renderComparisonText(many, { color: false }).split("\n").length).toBeLessThan(400);
  });
});

describe.skipIf(skipBrowserTests)("the page of a comparison", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ["a regression", () => compared([one("pass")], [one("fail")]), "light"],
    ["hostile bytes", () => compareReports(reportOf([]), hostile()), "dark"],
  ] as const)("is accessible, fits, and runs nothing: %s", async (_, build, colorScheme) => {
    await withPage(
      browser,
      renderComparisonHtml(build()),
      async ({ page, requests, complaints }) => {
        expect(await overflow(page)).toBe(0);
        expect(await page.locator("script").count()).toBe(0);
        expect(await page.evaluate("window.pwned")).toBeUndefined();
        expect(requests).toEqual([]);
        expect(await accessibilityFaults(page)).toEqual([]);
        expect(complaints).toEqual([]);
      },
      { colorScheme, viewport: { width: 320, height: 800 } },
    );
  });
});
