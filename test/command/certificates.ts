/** Certificates that no run was needed for. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateText, createCertificate, generateKeyPair } from "../../reports/certificate.ts";
import { renderJson } from "../../reports/render-json.ts";
import type { Report } from "../../reports/report.ts";
import { believable, check, reportOf } from "../reports/example.ts";

/** A report that a certificate can be made of. */
function certifiable(): Report {
  const checks = believable().requirements.map(({ id }) => check({ id, requirements: [id] }));
  const report = reportOf(checks);
  const options = { ...report.run.options, requireComplete: true };
  return { ...report, run: { ...report.run, options } };
}

/** Writes a certificate with its report, a signed file `traffic.har` and its public key into a folder. */
export function writeCertificate(folder: string, issuedAt = new Date()): void {
  const report = certifiable();
  const { privateKey, publicKey } = generateKeyPair();
  const files = { "report.json": renderJson(report), "traffic.har": "{}" };
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  const certificate = createCertificate({ report, files: bytes, privateKey, issuedAt, validDays: 10 });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "certificate.json"), certificateText(certificate));
  writeFileSync(join(folder, "certificate.pub.pem"), publicKey);
}
