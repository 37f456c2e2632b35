import type { KeyObject } from "node:crypto";
import { idOf, type KeyKind, keyKindOf, publicKeyOf, sha256 } from "./keys.ts";
import { readStatusList } from "./status-list.ts";

/** `part` is `certificate`, `key`, `signature`, `validity`, `status`, `rejudge` or a file. */
export interface CertificateFinding {
  part: string;
  genuine: boolean;
  state: "ok" | "bad" | "missing" | "contradicted" | "expired" | "revoked";
  message: string;
}

export interface Verification {
  status: "changed" | "contradicted" | "incomplete" | "unknown-signer" | "revoked" | "expired" | "valid";
  /** True if nothing was changed since the certificate was signed. */
  genuine: boolean;
  trusted: boolean;
  expired: boolean;
  revoked: boolean;
  certificateOnly: boolean;
  findings: CertificateFinding[];
}

export interface Verifying {
  publicKeys: readonly string[];
  files: Record<string, Uint8Array | undefined>;
  /** The key beside the certificate (PEM) does not show who signed. */
  beside?: string;
  certificateOnly?: boolean;
  statusList?: string;
  now?: Date;
}

export function verification(
  findings: CertificateFinding[],
  { named, certificateOnly }: { named: boolean; certificateOnly: boolean },
): Verification {
  const has = (state: CertificateFinding["state"]) => findings.some((finding) => finding.state === state);
  const status = statusOf(has, named);
  return {
    status,
    genuine: findings.every((finding) => finding.genuine),
    trusted: status === "valid",
    expired: has("expired"),
    revoked: has("revoked"),
    certificateOnly,
    findings,
  };
}

/** Returns the worst status that the findings show. */
function statusOf(
  has: (state: CertificateFinding["state"]) => boolean,
  named: boolean,
): Verification["status"] {
  if (has("bad")) return "changed";
  if (has("contradicted")) return "contradicted";
  if (has("missing")) return "incomplete";
  if (!named) return "unknown-signer";
  if (has("revoked")) return "revoked";
  return has("expired") ? "expired" : "valid";
}

export function withFinding<Judged extends Verification>(
  judged: Judged,
  finding: CertificateFinding,
): Judged {
  const { certificateOnly, findings, status } = judged;
  const named = status !== "unknown-signer";
  return { ...judged, ...verification([...findings, finding], { named, certificateOnly }) };
}

export function goodFinding(part: string, message: string): CertificateFinding {
  return { part, genuine: true, state: "ok", message };
}

export function badFinding(part: string, message: string): CertificateFinding {
  return { part, genuine: false, state: "bad", message };
}

/** `named` is false if the key only lies beside the certificate. */
export interface Signer {
  key: KeyObject;
  named: boolean;
}

/**
 * Prefers named keys.
 * @throws CertificateRefused if a text is no key
 */
export function signerOf(
  keyId: string,
  kind: KeyKind,
  { publicKeys, beside }: Pick<Verifying, "publicKeys" | "beside">,
): Signer | undefined {
  const fits = (key: KeyObject) => keyKindOf(key) === kind && idOf(key) === keyId;
  const named = publicKeys.map(publicKeyOf).find(fits);
  if (named !== undefined) return { key: named, named: true };
  const found = beside === undefined ? undefined : publicKeyOf(beside);
  return found !== undefined && fits(found) ? { key: found, named: false } : undefined;
}

/** Says whether the key is one to check with, and whether somebody named it as trusted. */
export function keyFinding(keyId: string, signer: Signer | undefined): CertificateFinding {
  if (signer === undefined)
    return badFinding(
      "key",
      `unknown key: it names ${keyId}, which is none of the public keys to check with`,
    );
  const whose = signer.named ? "" : ", which lies beside it and which nobody named as trusted";
  return goodFinding("key", `signed with key ${keyId}${whose}`);
}

/** Tells for each file whether it is there and has the digest that the certificate names. */
export function fileFindings(
  digests: readonly (readonly [name: string, digest: string])[],
  { files, certificateOnly = false }: Verifying,
): CertificateFinding[] {
  if (certificateOnly) return [];
  return digests.map(([name, digest]) => {
    const bytes = Object.hasOwn(files, name) ? files[name] : undefined;
    if (bytes === undefined)
      return { part: name, genuine: false, state: "missing", message: `${name} is not there` };
    return sha256(bytes) === digest
      ? goodFinding(name, `${name} is the one that was signed`)
      : badFinding(name, `${name} is not the one that was signed`);
  });
}

/** Tells whether the certificate has ended or was revoked. */
export function validityFindings(
  validUntil: string | undefined,
  report: string | undefined,
  verifying: Verifying,
): CertificateFinding[] {
  const status = statusFindings(report, verifying);
  if (validUntil === undefined) return status;
  const isValid = Date.parse(validUntil) > (verifying.now ?? new Date()).getTime();
  const validity: CertificateFinding = isValid
    ? goodFinding("validity", `valid until ${validUntil}`)
    : { part: "validity", genuine: true, state: "expired", message: `it expired on ${validUntil}` };
  return [validity, ...status];
}

/** Tells whether the status list revokes the certificate. */
function statusFindings(
  report: string | undefined,
  { statusList, publicKeys }: Verifying,
): CertificateFinding[] {
  if (statusList === undefined) return [];
  const list = readStatusList(statusList, publicKeys.map(publicKeyOf));
  if (list === undefined)
    return [
      badFinding(
        "status",
        "the status list is changed, or signed by no key that was named as trusted: name its key (certificate.intoto.pub.pem, if there is one) with one more --public-key",
      ),
    ];
  const entry = list.revoked.find((each) => each.report === report);
  if (entry === undefined) return [goodFinding("status", `not revoked, as of ${list.updatedAt}`)];
  const message = `it was revoked on ${entry.revokedAt}: ${entry.reason}`;
  return [{ part: "status", genuine: true, state: "revoked", message }];
}
