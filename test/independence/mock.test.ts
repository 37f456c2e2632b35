import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startReference } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { isTurn } from "../commit-seed.ts";
import { runSuite, settingsFor } from "../prove/run.ts";
import { type Prism, startMock } from "./prism.ts";

/** Prism's mock: a service by other authors, whose violations nobody planted. */
let mock: Prism | undefined;
let report: Report;
const isTested = isTurn(0, 4);

beforeAll(async () => {
  mock = await startMock();
  // The mock accepts any id, so the fixtures of the reference service are good enough.
  const reference = await startReference();
  await reference.close();
  const settings = settingsFor(reference, 1, {
    serviceVersion: "none",
    runs: 2,
    timeout: 60_000,
    visibilityDelay: 100,
  });
  report = await runSuite({ ...settings, baseUrl: mock.baseUrl, embedded: false });
}, 10 * 60_000);

afterAll(() => mock?.close());

test.runIf(isTested)("the run against a mock of the document ends in a report", () => {
  expect(report.problem).toBeUndefined();
  expect(validateReport(JSON.parse(JSON.stringify(report)))).toMatchObject({ valid: true });
  expect(report.verdict).toBe("nonconformant");
  expect(report.checks.filter(({ reason }) => reason === "suite-error")).toEqual([]);
});

test.runIf(isTested)("the findings are limited to what a mock cannot do", () => {
  const explained = parse(readFileSync(join(packageRoot(), "test/independence/mock-findings.yaml"), "utf8"));
  const findings = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  const broken = new Map(findings.map(({ requirements, message }) => [requirements.join(), message]));
  expect([...broken].filter(([requirement]) => !(requirement in explained))).toEqual([]);
  // Depending on earlier requests, the suite blames one write or another for a wrong read. Such findings show
  // only now and then.
  const always = Object.keys(explained).filter((each) => !String(explained[each]).startsWith("Now and then"));
  expect(always.filter((requirement) => !broken.has(requirement))).toEqual([]);
});
