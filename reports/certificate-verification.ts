/** Judges certificates: whether one is unchanged, who signed it, and whether it still holds. */
import { createPublicKey, verify } from "node:crypto";
import { matcher } from "../spec/matcher.ts";
import schema from "./certificate.schema.json" with { type: "json" };
import {
  type Certificate,
  CertificateRefused,
  canonical,
  ed25519,
  idOf,
  type Statement,
  sha256,
} from "./certificate.ts";

/** One part of a certificate. `part` is `certificate`, `key`, `signature`, `validity`, or the name of a file. */
interface CertificateFinding {
  part: string;
  /** Whether this part is as it was signed. */
  genuine: boolean;
  state: "ok" | "bad" | "missing" | "expired";
  message: string;
}

export interface CertificateVerification {
  /** The worst that was found; `valid` if there is nothing. */
  status: "changed" | "incomplete" | "unknown-signer" | "expired" | "valid";
  /** Whether all of it is as it was signed, the files too (unless only the certificate was looked at). */
  genuine: boolean;
  /** Whether it is genuine, a key that was named as trusted signed it, and it still holds. */
  trusted: boolean;
  expired: boolean;
  /** Whether the files that it names were left aside. */
  certificateOnly: boolean;
  findings: CertificateFinding[];
  /** Present when the value has the shape of a certificate; to be believed only when it is genuine. */
  certificate?: Certificate;
}

export interface Verifying {
  /** The public keys (PEM) of signers who are trusted. */
  publicKeys: readonly string[];
  /** The bytes of the files beside the certificate, by name. */
  files: Record<string, Uint8Array | undefined>;
  /** The key that lies beside the certificate (PEM): it shows changes, and says nothing about who signed. */
  beside?: string;
  /** Leaves the files aside: only the certificate itself is verified. */
  certificateOnly?: boolean;
  now?: Date;
}

/**
 * Judges a certificate: its shape, its key, its signature, the files that it names, and until when it holds. It never
 * throws on what it judges.
 *
 * @throws CertificateRefused if a key that was given is no Ed25519 public key.
 */
export function verifyCertificate(value: unknown, verifying: Verifying): CertificateVerification {
  const { publicKeys, files, beside, certificateOnly = false, now = new Date() } = verifying;
  const keys = publicKeys.map(publicKeyOf);
  const matched = match(value);
  if (!matched.matches) {
    const fault = matched.errors[0];
    const where = fault?.instancePath || "it";
    const finding = bad("certificate", `not a certificate: ${where} ${fault?.message ?? "is not valid"}`);
    return verification([finding], { named: false, certificateOnly });
  }
  const certificate = matched.value;
  const { statement } = certificate;
  const named = keys.find((each) => idOf(each) === statement.keyId);
  const found = named === undefined && beside !== undefined ? publicKeyOf(beside) : undefined;
  const key = named ?? (found !== undefined && idOf(found) === statement.keyId ? found : undefined);
  const findings: CertificateFinding[] = [];
  if (key === undefined) {
    findings.push(
      bad("key", `unknown key: it names ${statement.keyId}, which is none of the public keys to check with`),
    );
  } else {
    const whose = named === undefined ? ", which lies beside it and which nobody named as trusted" : "";
    findings.push(good("key", `signed with key ${statement.keyId}${whose}`));
    findings.push(signatureFinding(certificate, key));
  }
  if (!certificateOnly) {
    for (const [name, digest] of Object.entries(statement.files))
      findings.push(fileFinding(name, digest, Object.hasOwn(files, name) ? files[name] : undefined));
  }
  findings.push(...validityFindings(statement, now));
  return { ...verification(findings, { named: named !== undefined, certificateOnly }), certificate };
}

function verification(
  findings: CertificateFinding[],
  { named, certificateOnly }: { named: boolean; certificateOnly: boolean },
): CertificateVerification {
  const has = (state: CertificateFinding["state"]) => findings.some((finding) => finding.state === state);
  const expired = has("expired");
  const status = has("bad")
    ? "changed"
    : has("missing")
      ? "incomplete"
      : !named
        ? "unknown-signer"
        : expired
          ? "expired"
          : "valid";
  const genuine = findings.every((finding) => finding.genuine);
  return { status, genuine, trusted: status === "valid", expired, certificateOnly, findings };
}

function good(part: string, message: string): CertificateFinding {
  return { part, genuine: true, state: "ok", message };
}

function bad(part: string, message: string): CertificateFinding {
  return { part, genuine: false, state: "bad", message };
}

function signatureFinding(
  { statement, signature }: Certificate,
  key: ReturnType<typeof ed25519>,
): CertificateFinding {
  const bytes = Buffer.from(signature.value, "base64");
  // Several texts of base64 stand for the same bytes; only one is what was written.
  const asWritten = bytes.toString("base64") === signature.value;
  return asWritten && verify(null, Buffer.from(canonical(statement)), key, bytes)
    ? good("signature", "the signature fits the statement")
    : bad("signature", "the signature does not fit: the statement or the signature was changed");
}

function fileFinding(name: string, digest: string, bytes: Uint8Array | undefined): CertificateFinding {
  if (bytes === undefined)
    return { part: name, genuine: false, state: "missing", message: `${name} is not there` };
  return sha256(bytes) === digest
    ? good(name, `${name} is the one that was signed`)
    : bad(name, `${name} is not the one that was signed`);
}

function validityFindings({ validUntil }: Statement, now: Date): CertificateFinding[] {
  if (validUntil === undefined) return [];
  if (Date.parse(validUntil) > now.getTime()) return [good("validity", `valid until ${validUntil}`)];
  return [{ part: "validity", genuine: true, state: "expired", message: `it expired on ${validUntil}` }];
}

/**
 * An Ed25519 public key in PEM form.
 *
 * @throws CertificateRefused for anything else. A private key is refused too: Node would quietly take its public half.
 */
export function publicKeyOf(pem: string): ReturnType<typeof ed25519> {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(pem)) {
    throw new CertificateRefused("this is a private key: keep it secret, and name the public key instead");
  }
  return ed25519(() => createPublicKey(pem));
}

const match = matcher<Certificate>(schema);
