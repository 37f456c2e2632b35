/** Anybody can sign a certificate, so verification trusts only keys that the user names. */
import { createPublicKey, sign } from "node:crypto";
import canonicalize from "canonicalize";
import { mustCounts } from "../headline.ts";
import type { Report, Verdict } from "../report.ts";
import {
  type AttestedSentence,
  attestedScope,
  notOfferedIn,
  type Reservation,
  reservationsOf,
} from "./attested.ts";
import { CertificateRefused, idOf, privateKeyOf, sha256 } from "./keys.ts";

export interface Statement {
  schemaVersion: 1;
  suite: Report["suite"];
  spec: Report["spec"];
  service: Report["target"];
  profile: { name: string; sha256: string } | null;
  run: Report["run"];
  verdict: Verdict;
  /** Waived requirements do not count as tested. */
  musts: { total: number; inScope: number; tested: number; waived?: number };
  summary: Report["summary"];
  waivers: { check: string; requirements: string[]; reason: string; expires: string }[];
  files: Record<string, string>;
  subject?: string | null;
  labels?: Record<string, string>;
  depth?: "quick" | "full";
  scope?: AttestedSentence[];
  notOffered?: string[];
  reservations?: Reservation[];
  issuedAt: string;
  validUntil?: string;
  /** SHA-256 of the public key (DER, SubjectPublicKeyInfo) in hexadecimal. */
  keyId: string;
}

export interface Certificate {
  statement: Statement;
  signature: { algorithm: "Ed25519"; value: string };
}

export function certificateText(certificate: Certificate): string {
  return `${JSON.stringify(certificate, null, 2)}\n`;
}

export interface CertificateInput {
  report: Report;
  files: Record<string, Uint8Array>;
  privateKey: string;
  issuedAt: Date;
  subject?: string;
  validDays?: number;
  /** Renders the page. Its digest is signed, so it can't show the signature. */
  page?: (statement: Statement) => string;
}

export const PAGE_FILE = "certificate.html";
const DAY_MS = 86_400_000;

/**
 * Returns the signed certificate of a run.
 * @throws CertificateRefused unless the run conforms, is complete, and the key is Ed25519
 */
export function createCertificate(input: CertificateInput): Certificate {
  const { report, files } = input;
  refuseUnworthy(report);
  const key = privateKeyOf(input.privateKey, "ed25519");
  const json = files["report.json"];
  if (json === undefined) throw new CertificateRefused("report.json is not among the files");
  if (canonicalText(jsonIn(json)) !== canonicalText(report)) {
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
  const value = sign(null, Buffer.from(canonicalText(statement)), key).toString("base64");
  return { statement, signature: { algorithm: "Ed25519", value } };
}

/**
 * Returns when the certificate ends: after its days, or earlier with the first waiver.
 * @throws CertificateRefused if a waiver names no day.
 */
export function endOf(
  { checks }: Report,
  { issuedAt, validDays = 365 }: Pick<CertificateInput, "issuedAt" | "validDays">,
): Date {
  const lastDays = checks.flatMap(({ waived }) => (waived === undefined ? [] : Date.parse(waived.expires)));
  if (lastDays.some(Number.isNaN)) throw new CertificateRefused("a waiver says no day on which it ends");
  return new Date(
    Math.min(issuedAt.getTime() + validDays * DAY_MS, ...lastDays.map((lastDay) => lastDay + DAY_MS)),
  );
}

export function refuseUnworthy(report: Report): void {
  if (report.verdict !== "conformant") throw new CertificateRefused(`the verdict is ${report.verdict}`);
  if (report.run.partial) throw new CertificateRefused("the run is partial");
  if (report.depth === "quick") throw new CertificateRefused("the run was not of depth full");
  if (report.run.options.requireComplete !== true) {
    throw new CertificateRefused("the run did not require completeness");
  }
}

export function canonicalText(value: unknown): string {
  const text = canonicalize(JSON.parse(JSON.stringify(value)));
  if (text === undefined) throw new CertificateRefused("there is nothing to sign");
  return text;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw new CertificateRefused("report.json is not JSON");
  }
}
