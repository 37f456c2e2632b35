import { type KeyObject, verify } from "node:crypto";
import { matcher } from "../spec/matcher.ts";
import schema from "./certificate.schema.json" with { type: "json" };
import { type Certificate, canonical } from "./certificate.ts";
import {
  bad,
  type CertificateFinding,
  fileFinding,
  good,
  keyFinding,
  signerOf,
  statusFindings,
  type Verification,
  type Verifying,
  validityFinding,
  verification,
} from "./verification.ts";

export interface CertificateVerification extends Verification {
  /** The contents. Trust them only if `genuine` is true. */
  certificate?: Certificate;
}

/**
 * Verifies a certificate, and never throws because of `value`. @throws CertificateRefused if a given key is
 * neither an Ed25519 nor an ECDSA P-256 public key
 */
export function verifyCertificate(value: unknown, verifying: Verifying): CertificateVerification {
  const { files, certificateOnly = false, now = new Date() } = verifying;
  const matched = match(value);
  if (!matched.matches) {
    const fault = matched.errors[0];
    const where = fault?.instancePath || "it";
    const finding = bad("certificate", `not a certificate: ${where} ${fault?.message ?? "is not valid"}`);
    return verification([finding], { named: false, certificateOnly });
  }
  const certificate = matched.value;
  const { statement } = certificate;
  const signer = signerOf(statement.keyId, "ed25519", verifying);
  const findings = [keyFinding(statement.keyId, signer)];
  if (signer !== undefined) findings.push(signatureFinding(certificate, signer.key));
  if (!certificateOnly) {
    for (const [name, digest] of Object.entries(statement.files))
      findings.push(fileFinding(name, digest, Object.hasOwn(files, name) ? files[name] : undefined));
  }
  if (statement.validUntil !== undefined) findings.push(validityFinding(statement.validUntil, now));
  findings.push(...statusFindings(statement.files["report.json"] ?? "", verifying));
  return { ...verification(findings, { named: signer?.named === true, certificateOnly }), certificate };
}

function signatureFinding({ statement, signature }: Certificate, key: KeyObject): CertificateFinding {
  const bytes = Buffer.from(signature.value, "base64");
  // Several base64 texts decode to the same bytes, but only one of them was written.
  const asWritten = bytes.toString("base64") === signature.value;
  return asWritten && verify(null, Buffer.from(canonical(statement)), key, bytes)
    ? good("signature", "the signature fits the statement")
    : bad("signature", "the signature does not fit: the statement or the signature was changed");
}

const match = matcher<Certificate>(schema);
