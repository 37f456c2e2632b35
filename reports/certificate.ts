/**
 * A certificate is a signed statement that a service passed a whole run. It holds the digests of the reports.
 * Anybody can sign one, so verification trusts only the keys that the user names.
 */
import { createPublicKey, sign } from "node:crypto";
import canonicalize from "canonicalize";
import {
  type AttestedSentence,
  attestedScope,
  notOfferedIn,
  type Reservation,
  reservationsOf,
} from "./attested.ts";
import { mustCounts } from "./headline.ts";
import { CertificateRefused, idOf, privateKeyOf, sha256 } from "./keys.ts";
import type { Report, Verdict } from "./report.ts";

/** The statement of a certificate. The signature covers all of it. */
export interface Statement {
  schemaVersion: 1;
  suite: Report["suite"];
  spec: Report["spec"];
  service: Report["target"];
  /** The vendor profile: its name, and the SHA-256 of its bytes. Null without a profile. */
  profile: { name: string; sha256: string } | null;
  run: Report["run"];
  verdict: Verdict;
  /** Counts of MUST requirements. A violated requirement with a waiver does not count as tested. */
  musts: { total: number; inScope: number; tested: number; waived?: number };
  summary: Report["summary"];
  /** The violations that waivers excused. */
  waivers: { check: string; requirements: string[]; reason: string; expires: string }[];
  /** SHA-256 of each report file in hexadecimal, by file name. */
  files: Record<string, string>;
  /** The owner of the service, as the issuer named it; null if nobody named one. */
  subject?: string | null;
  labels?: Record<string, string>;
  depth?: "quick" | "full";
  /** Every MUST sentence, and how far it was tested. */
  scope?: AttestedSentence[];
  /** Operations that the service is declared not to offer, e.g. `GET /banks`. */
  notOffered?: string[];
  reservations?: Reservation[];
  issuedAt: string;
  /** When the certificate expires (RFC 3339, UTC). */
  validUntil?: string;
  /** The SHA-256 of the public key (DER, SubjectPublicKeyInfo), in hexadecimal. */
  keyId: string;
}

export interface Certificate {
  statement: Statement;
  signature: { algorithm: "Ed25519"; value: string };
}

/** The text of the file that a certificate is written to. */
export function certificateText(certificate: Certificate): string {
  return `${JSON.stringify(certificate, null, 2)}\n`;
}

export interface CertificateInput {
  report: Report;
  /** The report files by name. `report.json` must be one of them. */
  files: Record<string, Uint8Array>;
  /** An Ed25519 key as PKCS #8 in PEM. */
  privateKey: string;
  issuedAt: Date;
  subject?: string;
  /** Days of validity, 365 by default. */
  validDays?: number;
  /**
   * Makes the certificate's page, which is signed with the other files. It can hold neither its own digest
   * nor the signature.
   */
  page?: (statement: Statement) => string;
}

/** The name of the certificate's page among the signed files. */
export const PAGE_FILE = "certificate.html";
const DAY = 86_400_000;

/**
 * A signed certificate for a report. @throws CertificateRefused unless the run was whole, complete and
 * conformant, the files hold this report, and the key is an Ed25519 private key
 */
export function createCertificate(input: CertificateInput): Certificate {
  const { report, files } = input;
  refuseUnworthy(report);
  const key = privateKeyOf(input.privateKey, "ed25519");
  const json = files["report.json"];
  if (json === undefined) throw new CertificateRefused("report.json is not among the files");
  if (canonical(parse(json)) !== canonical(report)) {
    throw new CertificateRefused("report.json does not hold the report to certify");
  }
  const { total, inScope, tested, waived } = mustCounts(report);
  const statement: Statement = {
    schemaVersion: 1,
    suite: report.suite,
    spec: report.spec,
    service: report.target,
    profile: report.profile ?? null,
    run: report.run,
    verdict: report.verdict,
    musts: { total, inScope, tested, waived },
    summary: report.summary,
    waivers: report.checks.flatMap(({ id, requirements, waived }) =>
      waived === undefined ? [] : [{ check: id, requirements, ...waived }],
    ),
    files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, sha256(bytes)])),
    subject: input.subject ?? null,
    labels: report.labels ?? {},
    depth: report.depth ?? "full",
    scope: attestedScope(report),
    notOffered: notOfferedIn(report),
    reservations: reservationsOf(report),
    issuedAt: input.issuedAt.toISOString(),
    validUntil: endOf(report, input).toISOString(),
    keyId: idOf(createPublicKey(key)),
  };
  if (input.page !== undefined) statement.files[PAGE_FILE] = sha256(Buffer.from(input.page(statement)));
  const value = sign(null, Buffer.from(canonical(statement)), key).toString("base64");
  return { statement, signature: { algorithm: "Ed25519", value } };
}

/** When a certificate expires: after its days, or with the first of its waivers. */
export function endOf(
  { checks }: Report,
  { issuedAt, validDays = 365 }: Pick<CertificateInput, "issuedAt" | "validDays">,
): Date {
  const lastDays = checks.flatMap(({ waived }) => (waived === undefined ? [] : Date.parse(waived.expires)));
  if (lastDays.some(Number.isNaN)) throw new CertificateRefused("a waiver says no day on which it ends");
  return new Date(
    Math.min(issuedAt.getTime() + validDays * DAY, ...lastDays.map((lastDay) => lastDay + DAY)),
  );
}

/** @throws CertificateRefused unless the run was whole, complete and conformant. */
export function refuseUnworthy(report: Report): void {
  if (report.verdict !== "conformant") throw new CertificateRefused(`the verdict is ${report.verdict}`);
  if (report.run.partial) throw new CertificateRefused("the run is partial");
  if (report.depth === "quick") throw new CertificateRefused("the run was not of depth full");
  if (report.run.options.requireComplete !== true) {
    throw new CertificateRefused("the run did not require completeness");
  }
}

/** The canonical JSON text (RFC 8785) that is signed. */
export function canonical(value: unknown): string {
  const text = canonicalize(JSON.parse(JSON.stringify(value)));
  if (text === undefined) throw new CertificateRefused("there is nothing to sign");
  return text;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw new CertificateRefused("report.json is not JSON");
  }
}
