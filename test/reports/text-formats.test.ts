import { XMLParser, XMLValidator } from "fast-xml-parser";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { failures } from "../../reports/findings.ts";
import { reproduction } from "../../reports/formats/curl.ts";
import { renderGithub } from "../../reports/formats/github.ts";
import { renderJUnit } from "../../reports/formats/junit.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderTerminal } from "../../reports/formats/terminal.ts";
import type { Report } from "../../reports/report.ts";
import { check, exchange, failing, HOSTILE, hostile, large, reportOf, typicalReport } from "./example.ts";

const huge = () => hostile(HOSTILE.repeat(Math.ceil(5_000_000 / HOSTILE.length / 4)));

interface JUnitCase {
  name: string;
  failure?: { message: string; type: string; "#text": string };
  skipped?: { message: string };
}
interface JUnitSuite {
  name: string;
  tests: string;
  failures: string;
  skipped: string;
  testcase: JUnitCase[];
}

function parse(xml: string): { tests: string; failures: string; errors: string; testsuite: JUnitSuite[] } {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    isArray: (name) => ["testsuite", "testcase", "property"].includes(name),
  });
  return parser.parse(xml).testsuites;
}

describe("JUnit XML", () => {
  it("has a suite per suite, a case per check, and matching totals", () => {
    const report = typicalReport();
    const root = parse(renderJUnit(report));
    const cases = root.testsuite.flatMap((suite) => suite.testcase);
    expect(cases).toHaveLength(report.checks.length);
    expect(new Set(cases.map((one) => one.name)).size).toBe(report.checks.length);
    expect(Number(root.tests)).toBe(cases.length);
    expect(Number(root.failures)).toBe(report.summary.fail);
    expect(cases.filter((one) => one.failure !== undefined)).toHaveLength(report.summary.fail);
    expect(cases.filter((one) => one.skipped !== undefined)).toHaveLength(
      report.summary.skip + report.summary.waived,
    );
    for (const suite of root.testsuite) expect(Number(suite.tests)).toBe(suite.testcase.length);
  });

  it("gives the sentence, what was expected, what came, the exchange and the command", () => {
    const cases = parse(renderJUnit(reportOf([failing()]))).testsuite[0]?.testcase ?? [];
    const failure = cases[0]?.failure;
    expect(failure?.message).toContain("got 3");
    expect(failure?.type).toBe("MUST violated");
    for (const part of ["number of items in the page", "Expected: 2", "Actual:   3", "200 in", "replay"]) {
      expect(failure?.["#text"]).toContain(part);
    }
  });

  it("gives the reason of each skip", () => {
    const skipped = check({ outcome: "skip", reason: "drift", message: "the list grew" });
    const [one] = parse(renderJUnit(reportOf([skipped]))).testsuite[0]?.testcase ?? [];
    expect(one?.skipped?.message).toMatch(/^drift: .*the list grew/);
  });

  it("shows entities as the service sent them", () => {
    const sent = '&lt;b&gt; & &#60; "quoted"';
    const [one] = parse(renderJUnit(reportOf([failing({ message: sent })]))).testsuite[0]?.testcase ?? [];
    expect(one?.failure?.message).toBe(sent);
    expect(one?.failure?.["#text"]).toContain(sent);
  });

  it("fails a warn under strict only", () => {
    const warned = failing({ outcome: "warn" });
    const strict = reportOf([warned]);
    strict.run.options = { strict: true };
    expect(parse(renderJUnit(reportOf([warned]))).failures).toBe("0");
    expect(parse(renderJUnit(strict)).failures).toBe("1");
  });

  it("fails for complaints, and for a target that could not be judged", () => {
    const report = reportOf([], { problem: "connection refused", complaints: ["a waiver has expired"] });
    const root = parse(renderJUnit(report));
    expect([root.tests, root.failures, root.errors]).toEqual(["2", "1", "1"]);
  });

  it.each([
    ["hostile", () => hostile()],
    ["huge", huge],
  ])("stays well-formed with %s bytes", (_, build) => {
    const xml = renderJUnit(build());
    const root = parse(xml);
    expect(root.testsuite.flatMap((suite) => suite.testcase)).toHaveLength(6);
    expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  });
});

describe("Markdown", () => {
  const parser = new MarkdownIt({ html: true, linkify: true });
  /** The tokens of a Markdown text that are HTML, links, images or emphasis. */
  function active(markdown: string): string[] {
    return parser
      .parse(markdown, {})
      .flatMap((token) => [token, ...(token.children ?? [])])
      .filter((token) => /^(html|link|image|strong|em_)/.test(token.type))
      .map((token) => `${token.type} ${token.content.trim()}`);
  }

  it("gives verdict, counts, failures and the command", () => {
    const text = renderMarkdown(typicalReport());
    for (const part of [
      "# ❌ Not conformant",
      "| Checks | 70 | 3 |",
      "`LIST-COUNT`",
      "- Actual: `3`",
      "replay",
    ]) {
      expect(text).toContain(part);
    }
    expect(text.indexOf("## Failures")).toBeLessThan(text.indexOf("## Warnings"));
    expect(text).toContain("Not tested: the service holds nothing to test with");
  });

  it("shows what is assumed about the service, with the exchanges that show it", () => {
    const text = renderMarkdown(typicalReport());
    expect(text).toContain("## Assumed about this service (1)");
    expect(text).toMatch(/rejected the 2 valid requests after them\. Seen: .*409 .*entry 1228/);
    expect(text).toMatch(/no answer .*entry 1235/);
    expect(renderMarkdown(reportOf([failing()]))).not.toContain("Assumed");
  });

  it("holds only its own HTML, no link and no emphasis, whatever a service sent", () => {
    const own = ["html_block <details><summary>Exchange</summary>", "html_block </details>"];
    for (const report of [
      hostile(),
      huge(),
      hostile("```\n</details>\n<script>x</script>\n~~~~"),
      typicalReport(),
    ]) {
      const found = active(renderMarkdown(report));
      expect([...new Set(found)].sort()).toEqual([...own].sort());
    }
  });

  it("keeps hostile text inside the one fence of its exchange", () => {
    const body = "````\n# out\n<b>x</b>\n```\n";
    const evidence = [exchange({ response: { status: 200, headers: {}, body } })];
    const tokens = parser.parse(renderMarkdown(reportOf([failing({ evidence })])), {});
    const fences = tokens.filter((token) => token.type === "fence");
    expect(fences).toHaveLength(1);
    expect(fences[0]?.content).toContain("# out\n<b>x</b>");
  });

  it("stays within its limit, and names what it leaves out", () => {
    for (const report of [large(), huge()]) {
      expect(renderMarkdown(report).length).toBeLessThanOrEqual(60_000);
    }
    const text = renderMarkdown(large(), { maxLength: 3_000 });
    expect(text.length).toBeLessThanOrEqual(3_000);
    for (const { requirement } of failures(large())) expect(text).toContain(`\`${requirement.id}\``);
  });
});

describe("the terminal summary", () => {
  const plain = { color: false, style: "plain" } as const;

  it("ends with the verdict, after the failures", () => {
    const text = renderTerminal(typicalReport(), plain);
    expect(text.indexOf("Warnings")).toBeLessThan(text.indexOf("Failures"));
    expect(text.indexOf("Failures")).toBeLessThan(text.indexOf("NOT CONFORMANT"));
    expect(text).toContain("expected  2, the number of items in the page");
    expect(text).toContain("again     payments-conformance replay");
  });

  it("shows what is assumed about the service, at most five traits", () => {
    const [quota] = typicalReport().assumed ?? [];
    if (!quota) throw new Error("the example has no trait");
    const assumed = Array.from({ length: 7 }, () => quota);
    const text = renderTerminal(reportOf([failing()], { assumed }), plain);
    expect(text).toContain("Assumed about this service");
    expect(text.match(/POST \/webhooks accepted 12 new resources/g)).toHaveLength(5);
    expect(text).toContain("  2 more in the report");
    expect(renderTerminal(reportOf([failing()]), plain)).not.toContain("Assumed");
  });

  it("shows the first request of a failure as a curl command that can be pasted", () => {
    const [finding] = failures(typicalReport());
    const command = finding && (finding.first.reproduce?.curl ?? reproduction(finding.first));
    expect(command).toMatch(/^curl /);
    expect(renderTerminal(typicalReport(), plain)).toContain(`  curl      ${command}\n`);
  });

  it("refers to the page if a curl command is too long for a terminal", () => {
    const { evidence, reproduce: _, ...check } = failing();
    const long = evidence.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, method: "POST", body: "x".repeat(5_000) },
    }));
    const text = renderTerminal(reportOf([{ ...check, evidence: long }]), plain);
    expect(text).toMatch(/ {2}curl {6}\d+ lines?, see report\.html\n/);
  });

  it("is ASCII in plain mode, and has no escape sequence without colour", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
    expect(renderTerminal(typicalReport(), plain)).toMatch(/^[\x00-\x7f]*$/);
    expect(renderTerminal(typicalReport(), { color: false, style: "pretty" })).not.toContain("\u001b");
    expect(renderTerminal(typicalReport(), { color: true, style: "pretty" })).toContain("\u001b[31m");
  });

  it("groups similar failures, and names those that it does not show in full", () => {
    const text = renderTerminal(large(), { ...plain, maxFindings: 2 });
    expect(text).toMatch(/Failures: \d+ findings, 500 checks/);
    for (const { requirement } of failures(large())) expect(text).toContain(requirement.id);
    expect(text.split("\n").length).toBeLessThan(120);
  });

  it("passes on no control character of a service, and no command to a CI server", () => {
    const text = renderTerminal(hostile(`${HOSTILE}\n##vso[task.setvariable]x\n##[error]x`), plain);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toMatch(/##[a-z]*\[/);
  });

  it("stays short, whatever a service sent", () => {
    expect(renderTerminal(huge(), plain).length).toBeLessThan(60_000);
    const body = "x\n".repeat(2_500_000);
    const evidence = [exchange({ response: { status: 200, headers: {}, body } })];
    expect(renderTerminal(reportOf([failing({ evidence })]), plain).length).toBeLessThan(5_000);
  });
});

describe("GitHub annotations", () => {
  it("are an error per finding, a warning per SHOULD, and a notice with the verdict", () => {
    const lines = renderGithub(typicalReport()).trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["::error", "::error", "::warning", "::notice"]);
    expect(lines[1]).toContain("title=LIST-COUNT (MUST%2C section 2.2)::");
    expect(lines.at(-1)).toContain("2 requirements are violated");
  });

  it("are at most ten, the last one counting the rest", () => {
    const checks = Array.from({ length: 30 }, (_, index) =>
      failing({ id: `a/${index}`, requirements: [`R-${String.fromCharCode(65 + index)}`] }),
    );
    const errors = renderGithub(reportOf(checks))
      .split("\n")
      .filter((line) => line.startsWith("::error"));
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toContain("21 more");
  });

  it("let nothing of a service begin a command or end a property", () => {
    const lines = renderGithub(hostile()).trimEnd().split("\n");
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::/);
      expect(line.replaceAll(/%(25|0A|0D|3A|2C)/g, "")).not.toContain("%");
    }
    expect(lines).toHaveLength(4);
  });

  it("show an error for every run that ends with exit code 3", () => {
    const last = (report: Report) => renderGithub(report).trimEnd().split("\n").at(-1);
    expect(last(reportOf([], { problem: "nobody answers" }))).toMatch(/^::error .*nobody answers/);
    const nothing = reportOf([check({ outcome: "skip", reason: "no-data" })]);
    expect(last(nothing)).toMatch(/^::error .*Inconclusive/);
    nothing.run.options = { allowInconclusive: true };
    expect(last(nothing)).toMatch(/^::notice /);
  });
});
