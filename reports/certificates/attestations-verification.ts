import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../spec/json.ts";
import { jsonOf } from "../../spec/loading/read-file.ts";
import { matcher } from "../../spec/matcher.ts";
import schema from "../attestations.schema.json" with { type: "json" };
import { validateReport } from "../validate.ts";
import { PAYLOAD_TYPE, type TestResult, testsOf, type VerificationSummary } from "./attestations.ts";
import { isSignedBy, type ReadEnvelope, readEnvelope } from "./dsse.ts";
import { sha256 } from "./keys.ts";
import {
  badFinding,
  type CertificateFinding,
  fileFindings,
  goodFinding,
  keyFinding,
  type Signer,
  signerOf,
  type Verification,
  type Verifying,
  validityFindings,
  verification,
} from "./verification.ts";

type Attestations = [testResult: TestResult, summary: VerificationSummary];

export interface AttestationsVerification extends Verification {
  /** The attestations are to be trusted only if `genuine` is true. */
  attestations?: Attestations;
}

/**
 * Checks two signed attestations: their form, their signatures, the files that they name, and how long they are
 * valid.
 */
export function verifyAttestations(text: string, verifying: Verifying): AttestationsVerification {
  const { certificateOnly = false } = verifying;
  const refused = (message: string): AttestationsVerification =>
    verification([badFinding("certificate", message)], { named: false, certificateOnly });
  const envelopes = envelopesIn(text);
  if (envelopes === undefined)
    return refused("not two envelopes of in-toto statements, as certify writes them");
  const [first, second] = envelopes;
  if (first.keyId !== second.keyId) return refused("its two envelopes name different keys");
  const signer = signerOf(first.keyId, "p256", verifying);
  const findings = [keyFinding(first.keyId, signer), ...signatureFindings(envelopes, signer)];
  const judged = { named: signer?.named === true, certificateOnly };
  if (findings.some(({ genuine }) => !genuine)) return verification(findings, judged);
  const matched = match(envelopes.map(valueIn));
  if (!matched.matches) {
    const [fault] = matched.errors;
    const message = `not attestations of conformance: ${fault?.instancePath} ${fault?.message}`;
    return verification([...findings, badFinding("certificate", message)], judged);
  }
  const [testResult, summary] = matched.value;
  const { paymentsConformance: facts } = summary.predicate;
  if (facts.testResult !== sha256(first.payload) || !isDeepStrictEqual(testResult.subject, summary.subject))
    findings.push(badFinding("certificate", "its two statements are not of one certificate"));
  const named = testResult.subject.flatMap(({ name, digest }) =>
    name === undefined ? [] : [[name, digest.sha256 ?? ""] as const],
  );
  findings.push(...fileFindings(named, verifying));
  if (!certificateOnly) findings.push(...resultFindings(testResult, verifying.files["report.json"]));
  findings.push(...validityFindings(facts.validUntil, new Map(named).get("report.json"), verifying));
  return { ...verification(findings, judged), attestations: matched.value };
}

export function filesNamedIn(text: string): string[] {
  const [first] = envelopesIn(text) ?? [];
  const value = first === undefined ? undefined : valueIn(first);
  const subjects: unknown[] = isObject(value) && Array.isArray(value.subject) ? value.subject : [];
  return subjects.flatMap((subject) =>
    isObject(subject) && typeof subject.name === "string" ? [subject.name] : [],
  );
}

function valueIn({ payload }: ReadEnvelope): unknown {
  return jsonOf(payload.toString("utf8"));
}

/** Returns the two envelopes of the file, one a line, or `undefined` if it holds anything else. */
function envelopesIn(text: string): [ReadEnvelope, ReadEnvelope] | undefined {
  const [one = "", two = "", ...rest] = text.split("\n");
  const [first, second] = [readEnvelope(one), readEnvelope(two)];
  if (first === undefined || second === undefined || rest.join("\n") !== "" || !text.endsWith("\n"))
    return undefined;
  return [first, second].every(({ payloadType }) => payloadType === PAYLOAD_TYPE)
    ? [first, second]
    : undefined;
}

/** Returns a finding about both signatures, or none if no signer is known. */
function signatureFindings(
  envelopes: readonly ReadEnvelope[],
  signer: Signer | undefined,
): CertificateFinding[] {
  if (signer === undefined) return [];
  return envelopes.every((envelope) => isSignedBy(envelope, signer.key))
    ? [goodFinding("signature", "the signatures fit both statements")]
    : [badFinding("signature", "a signature does not fit: a statement or a signature was changed")];
}

function resultFindings({ predicate }: TestResult, bytes: Uint8Array | undefined): CertificateFinding[] {
  if (bytes === undefined) return [];
  const { configuration: _, ...tests } = predicate;
  const judged = validateReport(jsonOf(Buffer.from(bytes).toString("utf8")));
  if (judged.valid && isDeepStrictEqual(testsOf(judged.report), tests)) return [];
  return [badFinding("result", "the test result is not that of report.json")];
}

const match = matcher<Attestations>(schema);
