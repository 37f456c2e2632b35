/** Writes certificates as in-toto attestations (github.com/in-toto/attestation). */

import { mustCounts } from "../headline.ts";
import type { Report, RequirementResult } from "../report.ts";
import { attestedScope, notOfferedIn, reservationsOf } from "./attested.ts";
import { type CertificateInput, endOf, refuseUnworthy } from "./certificate.ts";
import { sealed } from "./dsse.ts";
import { privateKeyOf, sha256 } from "./keys.ts";

export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export interface Resource {
  name?: string;
  uri?: string;
  digest: Record<string, string>;
}

interface StatementOf<Type extends string, Predicate> {
  _type: "https://in-toto.io/Statement/v1";
  subject: Resource[];
  predicateType: Type;
  predicate: Predicate;
}

/** A violated MUST is a failed test, even if waived. */
export type TestResult = StatementOf<
  "https://in-toto.io/attestation/test-result/v0.1",
  {
    result: "PASSED" | "WARNED";
    configuration: Resource[];
    passedTests: string[];
    warnedTests: string[];
    failedTests: string[];
  }
>;

export type VerificationSummary = StatementOf<
  "https://in-toto.io/attestation/svr/v0.2",
  {
    verifier: { id: string; policies: Resource[] };
    timeCreated: string;
    properties: string[];
    /** The predicate of in-toto has no fields for these facts. */
    paymentsConformance: {
      schemaVersion: 1;
      service: Report["target"];
      subject: string | null;
      labels: Record<string, string>;
      musts: { total: number; inScope: number; tested: number; waived: number };
      validUntil: string;
      testResult: string;
    };
  }
>;

export interface AttestationInput extends Omit<CertificateInput, "page"> {
  subjects: readonly Resource[];
  configuration: readonly Resource[];
}

const SUBJECT_FILES = ["report.json", "history.ndjson"];

/**
 * Returns two signed lines: test result and verification summary.
 * @throws CertificateRefused unless the run conforms, is complete, and the key is ECDSA P-256
 */
export function createAttestations(input: AttestationInput): string {
  const { report, files, configuration } = input;
  refuseUnworthy(report);
  const key = privateKeyOf(input.privateKey, "p256");
  const named = SUBJECT_FILES.flatMap((name) => {
    const bytes = files[name];
    return bytes === undefined ? [] : [{ name, digest: { sha256: sha256(bytes) } }];
  });
  const common: Pick<TestResult, "_type" | "subject"> = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [...input.subjects, ...named],
  };
  const testResult: TestResult = {
    ...common,
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: { ...testsOf(report), configuration: [...configuration] },
  };
  const { total, inScope, tested, waived } = mustCounts(report);
  const summary: VerificationSummary = {
    ...common,
    predicateType: "https://in-toto.io/attestation/svr/v0.2",
    predicate: {
      verifier: {
        id: `pkg:npm/${report.suite.name}@${report.suite.version}`,
        policies: [...configuration],
      },
      timeCreated: input.issuedAt.toISOString(),
      properties: propertiesOf(report),
      paymentsConformance: {
        schemaVersion: 1,
        service: report.target,
        subject: input.subject ?? null,
        labels: report.labels ?? {},
        musts: { total, inScope, tested, waived },
        validUntil: endOf(report, input).toISOString(),
        testResult: sha256(Buffer.from(JSON.stringify(testResult))),
      },
    },
  };
  return [testResult, summary].map((statement) => `${sealed(PAYLOAD_TYPE, statement, key)}\n`).join("");
}

export function testsOf({
  requirements,
}: Pick<Report, "requirements">): Omit<TestResult["predicate"], "configuration"> {
  const idsWith = (outcome: RequirementResult["outcome"]) =>
    requirements.filter((requirement) => requirement.outcome === outcome).map(({ id }) => id);
  const [passedTests, warnedTests, failedTests] = [idsWith("pass"), idsWith("warn"), idsWith("fail")];
  const result = warnedTests.length + failedTests.length === 0 ? "PASSED" : "WARNED";
  return { result, passedTests, warnedTests, failedTests };
}

/** Returns the properties that the run has. Users' policies name these properties. */
function propertiesOf(report: Report): string[] {
  const whole = attestedScope(report).every(({ standing }) => standing === "tested");
  const properties: [string, boolean][] = [
    ["CONFORMANT", true],
    ["DEPTH_FULL", report.depth === "full"],
    ["EVERY_MUST_TESTED", whole],
    ["NO_WAIVERS", report.checks.every(({ waived }) => waived === undefined)],
    ["NO_RESERVATIONS", reservationsOf(report).length === 0],
    ["EVERY_OPERATION_OFFERED", notOfferedIn(report).length === 0],
  ];
  return properties.flatMap(([name, holds]) => (holds ? [`PAYMENTS_CONFORMANCE_${name}`] : []));
}
