/** Attestations have the right content, and tools of others accept them. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { bundleFromJSON } from "@sigstore/bundle";
import { type SignedEntity, type TrustMaterial, toSignedEntity, Verifier } from "@sigstore/verify";
import { describe, expect, test } from "vitest";
import {
  createAttestations,
  type TestResult,
  type VerificationSummary,
} from "../../reports/certificates/attestations.ts";
import { verifyAttestations } from "../../reports/certificates/attestations-verification.ts";
import { preAuthenticationEncoding } from "../../reports/certificates/dsse.ts";
import { CertificateRefused, generateKeyPair, sha256 } from "../../reports/certificates/keys.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import type { Report } from "../../reports/report.ts";
import { check, failing, reportOf, typicalReport } from "./example.ts";

const keys = generateKeyPair("p256");
const issuedAt = new Date("2026-03-02T11:00:00Z");
const configuration = [{ name: "openapi.yaml", digest: { sha256: "2e".repeat(32) } }];
const image = { digest: { sha256: "1f".repeat(32) } };

/** The report of a whole run with a violated SHOULD, and a violated MUST that a waiver covers. */
function report(change: Partial<Report> = {}): Report {
  const passed = typicalReport()
    .requirements.filter(({ id }) => id !== "LIST-ORDER")
    .map(({ id }) => check({ id, requirements: [id] }));
  const waived = { reason: "Repaired in May.", expires: "2026-06-01" };
  const base = reportOf([
    ...passed,
    failing({ id: "known", requirements: ["LIST-COUNT"], waived }),
    failing({ id: "order", requirements: ["LIST-ORDER"], level: "SHOULD", outcome: "warn" }),
  ]);
  const options = { ...base.run.options, requireComplete: true };
  return { ...base, depth: "full", run: { ...base.run, options }, ...change };
}

function issue(of = report(), privateKey = keys.privateKey): string {
  const files = { "report.json": Buffer.from(renderJson(of)), "history.ndjson": Buffer.from("{}\n") };
  return createAttestations({
    report: of,
    files,
    privateKey,
    issuedAt,
    subject: "Acme Pay",
    subjects: [image],
    configuration,
  });
}

function envelopes(text: string): { payload: string; payloadType: string; signatures: { sig: string }[] }[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function statements(text: string): [TestResult, VerificationSummary] {
  const [first, second] = envelopes(text).map(({ payload }) =>
    JSON.parse(Buffer.from(payload, "base64").toString("utf8")),
  );
  return [first, second];
}

describe("attestations", () => {
  test("state the test result, by requirement, and what was tested with what", () => {
    const [{ subject, predicate, ...head }] = statements(issue());
    expect(head).toEqual({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    });
    const digest = { sha256: sha256(Buffer.from(renderJson(report()))) };
    const history = { name: "history.ndjson", digest: { sha256: sha256(Buffer.from("{}\n")) } };
    expect(subject).toEqual([image, { name: "report.json", digest }, history]);
    expect(predicate).toMatchObject({
      result: "WARNED",
      configuration,
      warnedTests: ["LIST-ORDER"],
      failedTests: ["LIST-COUNT"],
    });
    expect(predicate.passedTests).toContain("LIST-LIMIT");
    expect(predicate.passedTests).not.toContain("LIST-COUNT");
  });

  test("summarise what was verified, for how long, with the policies in force", () => {
    const [first, { subject, predicate, predicateType }] = statements(issue());
    expect(predicateType).toBe("https://in-toto.io/attestation/svr/v0.2");
    expect(subject).toEqual(first.subject);
    expect(predicate).toMatchObject({
      verifier: { id: "pkg:npm/payments-conformance@0.1.0", policies: configuration },
      timeCreated: "2026-03-02T11:00:00.000Z",
      // The attestation ends when the first of its waivers ends.
      paymentsConformance: { subject: "Acme Pay", validUntil: "2026-06-02T00:00:00.000Z" },
    });
    const all = ["CONFORMANT", "DEPTH_FULL", "EVERY_OPERATION_OFFERED"];
    expect(predicate.properties).toEqual(all.map((name) => `PAYMENTS_CONFORMANCE_${name}`));
    const clean = reportOf(typicalReport().requirements.map(({ id }) => check({ id, requirements: [id] })));
    const { run } = report();
    const [result, summary] = statements(issue({ ...clean, run, depth: "full" }));
    expect(result.predicate).toMatchObject({ result: "PASSED", warnedTests: [], failedTests: [] });
    expect(summary.predicate.properties).toHaveLength(6);
  });

  test("are made for a whole and conformant run only, with an ECDSA P-256 key only", () => {
    expect(() => issue(report({ verdict: "inconclusive" }))).toThrow(CertificateRefused);
    expect(() => issue(report({ depth: "quick" }))).toThrow("depth full");
    expect(() => issue(report(), generateKeyPair("ed25519").privateKey)).toThrow("ECDSA P-256");
  });

  test("do not verify if they do not say what the report beside them says", () => {
    const lying = report();
    const files = { "report.json": Buffer.from(renderJson(lying)), "history.ndjson": Buffer.from("{}\n") };
    const requirements = lying.requirements.map((each) => ({ ...each, outcome: "pass" as const }));
    const text = createAttestations({
      report: { ...lying, requirements },
      files,
      privateKey: keys.privateKey,
      issuedAt,
      subjects: [],
      configuration,
    });
    const verifying = { publicKeys: [keys.publicKey], files, now: issuedAt };
    expect(verifyAttestations(text, verifying).findings).toContainEqual(
      expect.objectContaining({ part: "result", genuine: false }),
    );
    expect(verifyAttestations(issue(), verifying)).toMatchObject({ status: "valid", trusted: true });
  });
});

describe("envelopes", () => {
  test("are encoded for signing as the protocol's own example", () => {
    const bytes = preAuthenticationEncoding("http://example.com/HelloWorld", Buffer.from("hello world"));
    expect(bytes.toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    expect(preAuthenticationEncoding("é", Buffer.from("")).toString()).toBe("DSSEv1 2 é 0 ");
  });

  /** Converts an envelope to the form that the verifier of sigstore takes, without a transparency log. */
  function entityOf(envelope: unknown): SignedEntity {
    return toSignedEntity(
      bundleFromJSON({
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        verificationMaterial: { publicKey: { hint: "signer" }, tlogEntries: [] },
        dsseEnvelope: envelope,
      }),
    );
  }

  function sigstore(publicKey: string): Verifier {
    const key = { publicKey: createPublicKey(publicKey), validFor: () => true };
    const trust: TrustMaterial = {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => key,
    };
    return new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
  }

  test("verify with the verifier of sigstore, and do not with another key or payload", () => {
    const all = envelopes(issue());
    expect(all).toHaveLength(2);
    for (const envelope of all) {
      sigstore(keys.publicKey).verify(entityOf(envelope));
      const outsider = sigstore(generateKeyPair("p256").publicKey);
      expect(() => outsider.verify(entityOf(envelope))).toThrow(/signature/);
      const payload = Buffer.from(envelope.payload, "base64").toString("utf8").replace("Acme", "Acne");
      const changed = { ...envelope, payload: Buffer.from(`${payload} `).toString("base64") };
      expect(() => sigstore(keys.publicKey).verify(entityOf(changed))).toThrow(/signature/);
    }
  });

  test("have the lower of the two possible signatures", () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const key = createPrivateKey(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
    for (let turn = 0; turn < 20; turn++)
      for (const { signatures } of envelopes(issue(report(), key))) {
        const bytes = Buffer.from(signatures[0]?.sig ?? "", "base64");
        const s = bytes.subarray(6 + (bytes[3] ?? 0));
        expect(BigInt(`0x${s.toString("hex")}`)).toBeLessThanOrEqual(order / 2n);
      }
  });
});
