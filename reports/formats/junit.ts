import { groupedBy } from "../../spec/grouped.ts";
import { decisiveExchange, exchangeText } from "../exchange.ts";
import { depthInWords, isInsecure, scopeInNumbers } from "../headline.ts";
import { isFailing, isStrict, openQuestions, REASON_TEXT } from "../outcome.ts";
import type { CheckResult, Report } from "../report.ts";
import { cut, shown, visibleBlock } from "../text.ts";
import { hardlyTestedWords, unlocks, unlockWords } from "../unlocks.ts";
import { Element, renderXml } from "./xml.ts";

const MAX_MESSAGE = 500;
const MAX_LINE = 2_000;
const MAX_TEXT = 8_000;

/** Returns the report as JUnit XML: a suite for each chapter, and one for faults of the run itself. */
export function renderJUnit(report: Report): string {
  const strict = isStrict(report);
  const statements = new Map(report.requirements.map(({ id, statement }) => [id, statement]));
  const root = new Element("testsuites", {
    name: shown(report.suite.name, MAX_LINE),
    ...totalsOf(report.checks, strict, runFaults(report)),
    time: inSeconds(report.run.durationMs),
  });
  const open = report.verdict === "inconclusive" ? openQuestions(report) : [];
  addProperties(root, {
    verdict: report.verdict,
    scope: scopeInNumbers(report),
    depth: depthInWords(report),
    ...(isInsecure(report) ? { insecure: "the certificate of the target was not checked" } : {}),
    ...(open.length > 0 ? { inconclusive: open.join(" ") } : {}),
    ...Object.fromEntries(
      hardlyTestedWords(report).map(({ operation, words }) => [
        `hardly tested: ${shown(operation, 200)}`,
        words,
      ]),
    ),
    ...Object.fromEntries(
      unlocks(report)
        .slice(0, 50)
        .map((each) => [`would test more: ${shown(each.offer, 200)}`, unlockWords(each)]),
    ),
    ...Object.fromEntries(
      Object.entries(report.labels ?? {}).map(([name, value]) => [`label ${shown(name, 200)}`, value]),
    ),
  });
  runSuite(root, report);
  for (const [name, checks] of groupedBy(report.checks, ({ suite }) => suite)) {
    const suite = root.ele("testsuite", {
      name: shown(name, MAX_LINE),
      ...totalsOf(checks, strict),
      time: inSeconds(checks.reduce((sum, check) => sum + check.durationMs, 0)),
      timestamp: report.run.startedAt.replace(/(\.\d+)?Z$/, ""),
    });
    addProperties(suite, {
      target: report.target.baseUrl,
      specification: `${report.spec.title} sha256:${report.spec.sha256}`,
      ...(report.profile ? { profile: `${report.profile.name} sha256:${report.profile.sha256}` } : {}),
      version: report.suite.version,
      seed: String(report.run.seed),
    });
    for (const check of checks) addTestcase(suite, check, strict, statements);
  }
  return renderXml(root);
}

function runFaults(report: Report): { failures: number; errors: number } {
  return { failures: report.complaints?.length ?? 0, errors: report.problem === undefined ? 0 : 1 };
}

/** Adds a suite with the faults of the run itself, if there are any. */
function runSuite(root: Element, report: Report): void {
  const { failures, errors } = runFaults(report);
  if (failures + errors === 0) return;
  const suite = root.ele("testsuite", {
    name: "run",
    tests: failures + errors,
    failures,
    errors,
    skipped: 0,
    time: "0.000",
  });
  if (report.problem !== undefined) {
    const problem = suite.ele("testcase", { classname: "run", name: "target", time: "0.000" });
    problem.ele("error", { message: cutMessage(report.problem), type: "target" });
  }
  for (const [index, complaint] of (report.complaints ?? []).entries()) {
    const fault = suite.ele("testcase", { classname: "run", name: `complaint ${index + 1}`, time: "0.000" });
    fault.ele("failure", { message: cutMessage(complaint), type: "complaint" });
  }
}

/** Adds the check as a test case with its failure, error or reason to skip. */
function addTestcase(
  suite: Element,
  check: CheckResult,
  strict: boolean,
  statements: Map<string, string>,
): void {
  const element = suite.ele("testcase", {
    classname: shown(`${check.suite}.${check.operation}`, MAX_LINE),
    name: shown(check.id, MAX_LINE),
    time: inSeconds(check.durationMs),
  });
  addProperties(element, {
    title: check.title,
    outcome: check.outcome,
    level: check.level,
    section: check.section,
    requirements: check.requirements.join(" "),
    // Some test views show no output of passed tests, so this is a property.
    ...(check.outcome === "warn" || check.outcome === "unsteady"
      ? { warning: check.message ?? check.title }
      : {}),
    ...(check.serviceVersion === null ? {} : { serviceVersion: check.serviceVersion }),
  });
  if (check.waived !== undefined && check.outcome !== "skip") {
    const { reason, expires } = check.waived;
    element.ele("skipped", { message: cutMessage(`waived until ${expires}: ${reason}`) });
    element.ele("system-out").txt(detailText(check, statements));
  } else if (check.known === true) {
    element.ele("skipped", {
      message: cutMessage(`known from the baseline: ${check.message ?? check.title}`),
    });
    element.ele("system-out").txt(detailText(check, statements));
  } else if (isFailing(check, strict)) {
    const failure = element.ele("failure", {
      message: cutMessage(check.message ?? check.title),
      type: `${check.level} violated`,
    });
    failure.txt(detailText(check, statements));
  } else if (check.outcome === "unsteady") {
    element.ele("skipped", { message: cutMessage(`unsteady: ${check.message ?? check.title}`) });
    element.ele("system-out").txt(detailText(check, statements));
  } else if (check.outcome === "skip" && check.reason !== undefined) {
    const more = check.message === undefined ? "" : ` (${check.message})`;
    element.ele("skipped", { message: cutMessage(`${check.reason}: ${REASON_TEXT[check.reason]}${more}`) });
  } else if (["warn", "note"].includes(check.outcome)) {
    element.ele("system-out").txt(detailText(check, statements));
  }
}

/** Returns the text of a failure: the broken sentences, the expected value, and the exchange. */
function detailText(check: CheckResult, statements: Map<string, string>): string {
  const sentences = check.requirements.map((id) => `${id}: ${statements.get(id) ?? check.title}`);
  const exchange = decisiveExchange(check);
  const lines = [
    ...sentences,
    `Section ${check.section}, ${check.operation}`,
    ...(check.message === undefined ? [] : [check.message]),
    ...(check.expected === undefined ? [] : [`Expected: ${check.expected}`]),
    ...(check.actual === undefined ? [] : [`Actual:   ${check.actual}`]),
  ].map((line) => shown(line, MAX_LINE));
  if (exchange !== undefined) lines.push("", exchangeText(exchange, MAX_TEXT / 4, { headers: true }));
  if (check.reproduce !== undefined) lines.push("", `Again: ${shown(check.reproduce.command, MAX_LINE)}`);
  return `\n${visibleBlock(cut(lines.join("\n"), MAX_TEXT))}\n`;
}

function addProperties(parent: Element, values: Record<string, string>): void {
  const list = parent.ele("properties");
  for (const [name, value] of Object.entries(values))
    list.ele("property", { name, value: shown(value, MAX_LINE) });
}

function cutMessage(text: string): string {
  return shown(text, MAX_MESSAGE);
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Counts the outcomes of the checks as JUnit names them, and adds the faults of the run. */
function totalsOf(checks: CheckResult[], strict: boolean, extra = { failures: 0, errors: 0 }) {
  const skipped = checks.filter(
    (check) =>
      check.outcome === "skip" ||
      check.outcome === "unsteady" ||
      check.known === true ||
      (check.waived !== undefined && !isFailing(check, strict)),
  ).length;
  return {
    tests: checks.length + extra.failures + extra.errors,
    failures: checks.filter((check) => isFailing(check, strict)).length + extra.failures,
    errors: extra.errors,
    skipped,
  };
}
