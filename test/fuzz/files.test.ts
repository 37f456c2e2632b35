/** A user's file with any content is either accepted or refused with a message that names the file. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { judgeFile } from "../../command/certificates/verify.ts";
import { OPTION_NAMES } from "../../command/options/options.ts";
import { readConfigFile } from "../../command/options/read-config.ts";
import { readCreated } from "../../command/options/read-created.ts";
import { readReport } from "../../command/reports/read-report.ts";
import { readProfile } from "../../profiles/read-profile.ts";
import { createCertificate } from "../../reports/certificates/certificate.ts";
import { generateKeyPair } from "../../reports/certificates/keys.ts";
import { compareReports } from "../../reports/comparing/compare.ts";
import { MergeError, mergeReports } from "../../reports/comparing/merge.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { renderHtml } from "../../reports/html/render.ts";
import type { Report } from "../../reports/report.ts";
import { readWaivers } from "../../runner/reporting/waivers.ts";
import { readEdition } from "../../spec/loading/load.ts";
import { SpecError } from "../../spec/loading/source.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { allChecks } from "../../suites/index.ts";
import { typicalReport } from "../reports/example.ts";
import { spec } from "../spec/package-spec.ts";
import { changed, damaged, times } from "./damage.ts";

const folder = mkdtempSync(join(tmpdir(), "payments-conformance-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a file with this content. If `read` throws, the error must be a `UsageError` that names the file. */
function readsOrRefuses(name: string, content: string | Uint8Array, read: (file: string) => unknown): void {
  const file = join(folder, name);
  writeFileSync(file, content);
  try {
    read(file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).toContain(name);
    expect(error.message).not.toMatch(/\n\s+at |\[object |undefined/);
  }
}

function expectReadOrRefused(
  good: unknown,
  name: string,
  read: (file: string) => unknown,
  numRuns = 120,
): void {
  fc.assert(
    fc.property(damaged(good), (content) => readsOrRefuses(name, content, read)),
    { numRuns: times(numRuns) },
  );
  // The undamaged file is accepted, so the refusals above are about the damage.
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(good));
  expect(() => read(file)).not.toThrow();
}

const CONFIGURATION = {
  baseUrl: "https://api.example.test/v1",
  token: "token-of-the-user",
  space: "spc_1",
  fixtures: { currency: "XAF", webhookUrl: "https://example.test/{unique}" },
  header: { "x-tenant": "one" },
  labels: { environment: "staging" },
  only: ["lists", "GET /banks"],
  rate: 5,
  concurrency: 2,
  maxRequests: 100,
  readOnly: true,
  serviceVersion: "all",
  depth: "quick",
};
const WAIVERS = {
  waivers: [
    { requirement: "LIST-*", operation: "GET /banks", reason: "known", expires: "2026-12-31" },
    { requirement: "A", operation: "*", check: "*", reason: "known too", expires: "2027-01-31" },
  ],
};
const PROFILE = { name: "vendor", rejections: { "unknown-id": 404, "missing-space": [400, 403] } };
const CREATED = { created: [{ kind: "webhook", id: "wh_1", name: "pc-1", space: "spc", at: "2026-01-01" }] };

describe("a file with any content is accepted, or refused with a message:", () => {
  test("the configuration", () => {
    expect(OPTION_NAMES).toEqual(expect.arrayContaining(Object.keys(CONFIGURATION)));
    expectReadOrRefused(CONFIGURATION, "payments-conformance.yaml", (file) => readConfigFile(file, {}));
  });

  test("waivers", () => expectReadOrRefused(WAIVERS, "waivers.yaml", readWaivers, 30));

  test("a profile", () => {
    const checks = allChecks(spec);
    expectReadOrRefused(PROFILE, "profile.yaml", (file) => readProfile(file, spec, checks), 30);
  });

  test("created.json", () => expectReadOrRefused(CREATED, "created.json", readCreated));

  test("a report, which may then be compared, merged and shown", () => {
    const good = JSON.parse(renderJson(typicalReport())) as Report;
    expectReadOrRefused(
      good,
      "report.json",
      (file) => {
        const report = readReport(file);
        compareReports(good, report);
        compareReports(report, good);
        renderHtml(report);
        try {
          mergeReports([partOf(report, 1), partOf(good, 2)]);
        } catch (error) {
          // Reports of different runs can't be merged. That is refused with one of these errors.
          if (!(error instanceof UsageError) && !(error instanceof MergeError)) throw error;
        }
      },
      40,
    );
  });

  test("a certificate", () => {
    const { privateKey, publicKey } = generateKeyPair();
    const report = certified();
    const files = { "report.json": Buffer.from(renderJson(report)) };
    const good = createCertificate({ report, files, privateKey, issuedAt: new Date() });
    expectReadOrRefused(good, "certificate.json", (file) => {
      const { status } = judgeFile(file, { publicKeys: [publicKey] });
      expect(["changed", "incomplete", "valid"]).toContain(status);
    });
  });
});

/** A report that meets all conditions of a certificate. */
function certified(): Report {
  const report = typicalReport();
  const passed = report.checks.map((check) => ({ ...check, outcome: "pass" as const, evidence: [] }));
  const requirements = report.requirements.map((each) => ({ ...each, outcome: "pass" as const }));
  const options = { ...report.run.options, strict: true, requireComplete: true };
  return {
    ...report,
    checks: passed,
    requirements,
    findings: [],
    verdict: "conformant",
    run: { ...report.run, options, partial: false },
  };
}

describe("a specification with any content is accepted, or refused with a message:", () => {
  const text = (name: string) => readFileSync(new URL(`../../spec/${name}`, import.meta.url), "utf8");
  const openapi = text("openapi.yaml");
  const requirements = text("requirements.yaml");

  const reads = (files: { openapi: string; requirements: string }) => {
    try {
      readEdition(
        { name: "openapi.yaml", text: files.openapi },
        { name: "requirements.yaml", text: files.requirements },
      );
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      expect(error.message).toMatch(/(openapi|requirements)\.yaml:\d+/);
    }
  };

  test("openapi.yaml", () => {
    fc.assert(
      fc.property(changed(parse(openapi)), (document) =>
        reads({ openapi: JSON.stringify(document, null, 1), requirements }),
      ),
      { numRuns: times(8) },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (other) =>
        reads({ openapi: other, requirements }),
      ),
      { numRuns: times(8) },
    );
  });

  test("requirements.yaml", () => {
    fc.assert(
      fc.property(damaged(parse(requirements)), (content) =>
        reads({ openapi, requirements: Buffer.from(content as Uint8Array).toString("utf8") }),
      ),
      { numRuns: times(8) },
    );
  });
});

function partOf({ run, ...report }: Report, index: number): Report {
  return { ...report, run: { ...run, options: { ...run.options, shard: { index, total: 2 } } } };
}
