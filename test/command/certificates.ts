/** Certificates that are made without a run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAttestations } from "../../reports/certificates/attestations.ts";
import { certificateText, createCertificate } from "../../reports/certificates/certificate.ts";
import { generateKeyPair } from "../../reports/certificates/keys.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import type { Report } from "../../reports/report.ts";
import { check, reportOf, typicalReport } from "../reports/example.ts";

/** A report that meets all conditions of a certificate. */
function certifiable(): Report {
  const checks = typicalReport().requirements.map(({ id }) => check({ id, requirements: [id] }));
  const report = reportOf(checks);
  const options = { ...report.run.options, requireComplete: true };
  return { ...report, run: { ...report.run, options } };
}

export interface SignedWith {
  ed25519: ReturnType<typeof generateKeyPair>;
  p256: ReturnType<typeof generateKeyPair>;
}

export function newKeys(): SignedWith {
  return { ed25519: generateKeyPair("ed25519"), p256: generateKeyPair("p256") };
}

/** The digest of the container image that the certificates of these tests name as tested. */
const IMAGE = { digest: { sha256: "1f".repeat(32) } };

export interface Facts {
  issuedAt?: Date;
  keys?: SignedWith;
  change?: Partial<Report>;
  history?: string;
}

/**
 * Writes a certificate in both formats into a folder, with its public keys and the files that it signs: a report, a
 * history and `traffic.har`. Returns its keys.
 */
export function writeCertificate(
  folder: string,
  { issuedAt = new Date(), keys = newKeys(), change = {}, history = "{}\n" }: Facts = {},
): SignedWith {
  const report = { ...certifiable(), ...change };
  const texts: Record<string, string> = {
    "report.json": renderJson(report),
    "history.ndjson": history,
    "traffic.har": "{}",
  };
  const configuration = [{ name: "openapi.yaml", digest: { sha256: "2e".repeat(32) } }];
  const input = { report, issuedAt, validDays: 10 };
  texts["certificate.intoto.jsonl"] = createAttestations({
    ...input,
    files: bytesOf(texts),
    privateKey: keys.p256.privateKey,
    subjects: [IMAGE],
    configuration,
  });
  const { privateKey } = keys.ed25519;
  const certificate = createCertificate({ ...input, files: bytesOf(texts), privateKey });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "certificate.json"), certificateText(certificate));
  writeFileSync(join(folder, "certificate.pub.pem"), keys.ed25519.publicKey);
  writeFileSync(join(folder, "certificate.intoto.pub.pem"), keys.p256.publicKey);
  return keys;
}

function bytesOf(texts: Record<string, string>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}
