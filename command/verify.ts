import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  CertificateRefused,
  type CertificateVerification,
  certificateText,
  verifyCertificate,
} from "../reports/certificate.ts";
import { shown } from "../reports/text.ts";
import { UsageError } from "../runner/usage-error.ts";
import { isObject } from "../spec/json.ts";
import { PUBLIC_KEY_FILE } from "./certify.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { readText } from "./options/read-file.ts";
import { print } from "./output.ts";

/** `verify`: whether a certificate and the reports beside it are what was signed. Exit code 1 when not. */
export function verifyCommand(file: string, flags: Flags): number {
  const text = readText(file, "certificate");
  const folder = dirname(file);
  const given = (flags.publicKey ?? []) as string[];
  const beside = join(folder, PUBLIC_KEY_FILE);
  if (given.length === 0 && !existsSync(beside)) {
    throw new UsageError(`there is no ${beside}; name the signer's public key with --public-key`);
  }
  const keys = (given.length > 0 ? given : [beside]).map((key) => readText(key, "public key"));
  const { genuine, findings, certificate } = verify(text, keys, folder, given.length === 0);
  for (const finding of findings)
    print(`${finding.genuine ? "ok  " : "BAD "} ${shown(finding.message, 300)}\n`);
  if (certificate !== undefined && genuine) {
    const { service, verdict, issuedAt, musts, spec } = certificate.statement;
    print(`\n${shown(service.baseUrl, 300)} was ${verdict} on ${issuedAt}, `);
    print(`${musts.tested} of ${musts.total} MUST requirements tested, ${shown(spec.title, 200)}.\n`);
  }
  print(genuine ? "Genuine" : "Not genuine");
  if (genuine && given.length === 0) {
    print(
      ", as far as the key beside it can be trusted; --public-key names one that you got from the signer",
    );
  }
  print(".\n");
  return genuine ? EXIT.ok : EXIT.fails;
}

/** Judges the certificate. A key that is none is the caller's mistake, and a finding when it only lay beside. */
function verify(
  text: string,
  publicKeys: string[],
  folder: string,
  keyBeside: boolean,
): CertificateVerification {
  const value = parse(text);
  try {
    const judged = verifyCertificate(value, { publicKeys, files: filesBeside(value, folder) });
    const { certificate } = judged;
    if (certificate === undefined || certificateText(certificate) === text) return judged;
    const message = "the certificate is not, byte for byte, as it was written";
    const finding = { part: "certificate", genuine: false, message };
    return { ...judged, genuine: false, findings: [finding, ...judged.findings] };
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    if (!keyBeside) throw new UsageError(`--public-key: ${error.message}`);
    const finding = { part: "key", genuine: false, message: `${PUBLIC_KEY_FILE}: ${error.message}` };
    return { genuine: false, findings: [finding] };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The files that the certificate names, as far as they lie beside it; a name never leads out of the folder. */
function filesBeside(value: unknown, folder: string): Record<string, Uint8Array> {
  const statement = isObject(value) && isObject(value.statement) ? value.statement : {};
  const names = isObject(statement.files) ? Object.keys(statement.files) : [];
  const there = names.filter((name) => name === basename(name) && existsSync(join(folder, name)));
  return Object.fromEntries(there.map((name) => [name, readFileSync(join(folder, name))]));
}
