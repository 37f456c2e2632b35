import { type KeyObject, verify } from "node:crypto";
import { matcher } from "../../spec/matcher.ts";
import schema from "../certificate.schema.json" with { type: "json" };
import { type Certificate, canonicalText } from "./certificate.ts";
import {
  badFinding,
  type CertificateFinding,
  fileFindings,
  goodFinding,
  keyFinding,
  signerOf,
  type Verification,
  type Verifying,
  validityFindings,
  verification,
} from "./verification.ts";

export interface CertificateVerification extends Verification {
  /** The certificate is to be trusted only if `genuine` is true. */
  certificate?: Certificate;
}

/** Checks a certificate: its form, its signature, the files that it names, and how long it is valid. */
export function verifyCertificate(value: unknown, verifying: Verifying): CertificateVerification {
  const { certificateOnly = false } = verifying;
  const matched = match(value);
  if (!matched.matches) {
    const fault = matched.errors[0];
    const where = fault?.instancePath || "it";
    const finding = badFinding(
      "certificate",
      `not a certificate: ${where} ${fault?.message ?? "is not valid"}`,
    );
    return verification([finding], { named: false, certificateOnly });
  }
  const certificate = matched.value;
  const { statement } = certificate;
  const signer = signerOf(statement.keyId, "ed25519", verifying);
  const findings = [keyFinding(statement.keyId, signer)];
  if (signer !== undefined) findings.push(signatureFinding(certificate, signer.key));
  findings.push(...fileFindings(Object.entries(statement.files), verifying));
  findings.push(...validityFindings(statement.validUntil, statement.files["report.json"], verifying));
  return { ...verification(findings, { named: signer?.named === true, certificateOnly }), certificate };
}

function signatureFinding({ statement, signature }: Certificate, key: KeyObject): CertificateFinding {
  const bytes = Buffer.from(signature.value, "base64");
  // Several base64 texts give the same bytes, and only one is accepted.
  const asWritten = bytes.toString("base64") === signature.value;
  return asWritten && verify(null, Buffer.from(canonicalText(statement)), key, bytes)
    ? goodFinding("signature", "the signature fits the statement")
    : badFinding("signature", "the signature does not fit: the statement or the signature was changed");
}

const match = matcher<Certificate>(schema);
