import { describe, expect, test } from "vitest";
import { contradictionIn } from "../../reports/contradiction.ts";
import type { Report } from "../../reports/report.ts";
import { check, large, reportOf, typicalReport } from "./example.ts";

const sound = () => reportOf([check()]);

describe("a report is shown as it is", () => {
  test.each<[string, () => Report]>([
    ["conformant", sound],
    ["with every outcome", typicalReport],
    ["with many checks", large],
    ["with a violation that its baseline has", () => reportOf([check({ outcome: "fail", known: true })])],
    ["with an unsteady check only", () => reportOf([check({ outcome: "unsteady" })])],
    ["of an earlier release, which did not count unsteady checks", () => withoutUnsteady(typicalReport())],
  ])("%s", (_, report) => expect(contradictionIn(report())).toBeUndefined());
});

describe("a report contradicts itself", () => {
  test.each<[string, Report, string]>([
    [
      "if it is conformant although a requirement is violated",
      { ...typicalReport(), verdict: "conformant" },
      'its verdict is "conformant", but its requirements give "nonconformant"',
    ],
    [
      "if it is inconclusive although a requirement is violated",
      { ...typicalReport(), verdict: "inconclusive" },
      'its verdict is "inconclusive", but its requirements give "nonconformant"',
    ],
    [
      "if it is conformant although its run is partial",
      { ...sound(), run: { ...sound().run, partial: true } },
      'its verdict is "conformant", but its requirements give "inconclusive"',
    ],
    [
      "if it counts fewer violations than its checks have",
      { ...typicalReport(), summary: { ...typicalReport().summary, fail: 0 } },
      'its summary counts 0 checks as "fail", but it has',
    ],
    [
      "if a requirement passes although its check fails",
      edited(typicalReport(), (requirement) => ({ ...requirement, outcome: "pass" })),
      'says "pass", but its checks give',
    ],
  ])("%s", (_, report, said) => expect(contradictionIn(report)).toContain(said));
});

function withoutUnsteady(report: Report): Report {
  const { unsteady: _, ...summary } = report.summary;
  return { ...report, summary };
}

function edited(
  report: Report,
  change: (requirement: Report["requirements"][number]) => Report["requirements"][number],
): Report {
  return { ...report, verdict: "conformant", requirements: report.requirements.map(change) };
}
