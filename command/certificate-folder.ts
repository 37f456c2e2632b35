/** The files of a certificate in a folder of reports, and what a run may do to them. */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PAGE_FILE } from "../reports/certificate.ts";
import { verifyCertificate } from "../reports/certificate-verification.ts";
import { CertificateRefused } from "../reports/keys.ts";
import { UsageError } from "../spec/usage-error.ts";

export const CERTIFICATE_FILE = "certificate.json";
/** The certificate as a page to read. Its digest is signed with those of the reports. */
export const CERTIFICATE_PAGE = PAGE_FILE;
/** The public half of the signing key, beside the certificate: to hand on, not to trust. */
export const PUBLIC_KEY_FILE = "certificate.pub.pem";
/** The certificate as attestations in envelopes, and the public half of the key that signs them. */
export const ATTESTATIONS_FILE = "certificate.intoto.jsonl";
export const ATTESTATIONS_KEY_FILE = "certificate.intoto.pub.pem";

/**
 * Whether the folder holds a certificate that is still worth something: unchanged as far as the key beside it shows,
 * and not expired. Its reports need not be there.
 */
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
    // Without its key nobody here can tell whether it was changed: it is spared.
    const changed = findings.some(({ part, genuine }) => part === "signature" && !genuine);
    return certificate !== undefined && !expired && !changed;
  } catch (error) {
    // A key that is none shows nothing either; a file that is no JSON is no certificate.
    return error instanceof CertificateRefused;
  }
}

/**
 * Refuses to write reports over those that a certificate signs.
 *
 * @throws UsageError if the folder holds a valid certificate.
 */
export function refuseCertified(folder: string): void {
  if (!holdsValidCertificate(folder)) return;
  throw new UsageError(
    `${folder} holds a valid certificate, which signs the reports there: name another folder with --out (certify renews a certificate in place)`,
  );
}

/** Moves a certificate that holds no longer out of the way of the reports of a new run. */
export function setCertificateAside(folder: string): void {
  const file = join(folder, CERTIFICATE_FILE);
  if (!existsSync(file)) return;
  renameSync(file, join(folder, "certificate.previous.json"));
  const others = [CERTIFICATE_PAGE, PUBLIC_KEY_FILE, ATTESTATIONS_FILE, ATTESTATIONS_KEY_FILE];
  for (const name of others) rmSync(join(folder, name), { force: true });
}
