import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PAGE_FILE } from "../../reports/certificates/certificate.ts";
import { verifyCertificate } from "../../reports/certificates/certificate-verification.ts";
import { CertificateRefused } from "../../reports/certificates/keys.ts";
import { UsageError } from "../../spec/usage-error.ts";

export const CERTIFICATE_FILE = "certificate.json";
export const CERTIFICATE_PAGE = PAGE_FILE;
/** A forger can replace this key together with the certificate. */
export const PUBLIC_KEY_FILE = "certificate.pub.pem";
export const ATTESTATIONS_FILE = "certificate.intoto.jsonl";
export const ATTESTATIONS_KEY_FILE = "certificate.intoto.pub.pem";

/** True if the folder holds a certificate that is unchanged and not expired. The reports may be missing. */
export function holdsValidCertificate(folder: string): boolean {
  const file = join(folder, CERTIFICATE_FILE);
  const key = join(folder, PUBLIC_KEY_FILE);
  if (!existsSync(file)) return false;
  try {
    const { certificate, expired, findings } = verifyCertificate(JSON.parse(readFileSync(file, "utf8")), {
      publicKeys: [],
      files: {},
      certificateOnly: true,
      ...(existsSync(key) ? { beside: readFileSync(key, "utf8") } : {}),
    });
    const changed = findings.some(({ part, genuine }) => part === "signature" && !genuine);
    return certificate !== undefined && !expired && !changed;
  } catch (error) {
    // An unusable key shows no change of the certificate. Other errors mean that the file is no JSON.
    return error instanceof CertificateRefused;
  }
}

export function refuseCertified(folder: string): void {
  if (!holdsValidCertificate(folder)) return;
  throw new UsageError(
    `${folder} holds a valid certificate, which signs the reports there: name another folder with --out (certify renews a certificate in place)`,
  );
}

/** Renames the old certificate, so that nobody connects it with new reports. */
export function setCertificateAside(folder: string): void {
  const file = join(folder, CERTIFICATE_FILE);
  if (!existsSync(file)) return;
  renameSync(file, join(folder, "certificate.previous.json"));
  const others = [CERTIFICATE_PAGE, PUBLIC_KEY_FILE, ATTESTATIONS_FILE, ATTESTATIONS_KEY_FILE];
  for (const name of others) rmSync(join(folder, name), { force: true });
}
