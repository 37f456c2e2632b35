import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  CertificateRefused,
  type CertificateVerification,
  certificateText,
  verifyCertificate,
} from "../reports/certificate.ts";
import { count, shown } from "../reports/text.ts";
import { isObject } from "../spec/json.ts";
import { readText } from "../spec/loading/read-file.ts";
import { UsageError } from "../spec/usage-error.ts";
import { PUBLIC_KEY_FILE } from "./certify.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { print, printAsIs } from "./output.ts";

/**
 * `verify`: whether a certificate and the reports beside it are what was signed. Exit code 1 when they are not, 4 when
 * they are, but signed by nobody that the user named with `--public-key`.
 */
export function verifyCommand(file: string, flags: Flags): number {
  const text = readText(file, "certificate");
  const folder = dirname(file);
  const given = (flags.publicKey ?? []) as string[];
  const beside = join(folder, PUBLIC_KEY_FILE);
  if (given.length === 0 && !existsSync(beside)) {
    throw new UsageError(`there is no ${beside}; name the signer's public key with --public-key`);
  }
  const keys = given.map((key) => readText(key, "public key"));
  const judged = verify(text, keys, folder, existsSync(beside) ? readText(beside, "public key") : undefined);
  const code = judged.trusted ? EXIT.ok : judged.genuine ? EXIT.unknownSigner : EXIT.fails;
  if (flags.json === true) {
    const { genuine, trusted, findings, certificate } = judged;
    const statement = genuine ? (certificate?.statement ?? null) : null;
    printAsIs(`${JSON.stringify({ genuine, trusted, exitCode: code, findings, statement }, null, 2)}\n`);
  } else tell(judged);
  return code;
}

function tell({ genuine, trusted, findings, certificate }: CertificateVerification): void {
  for (const finding of findings)
    print(`${finding.genuine ? "ok  " : "BAD "} ${shown(finding.message, 300)}\n`);
  if (certificate !== undefined && genuine) {
    const { service, subject, verdict, issuedAt, musts, spec, reservations = [] } = certificate.statement;
    const whose = typeof subject === "string" ? `${shown(subject, 300)}, ` : "";
    print(`\n${whose}${shown(service.baseUrl, 300)} was ${verdict} on ${issuedAt}, `);
    print(`${musts.tested} of ${musts.total} MUST requirements tested, ${shown(spec.title, 200)}`);
    print(reservations.length > 0 ? `, with ${count(reservations.length, "reservation")}.\n` : ".\n");
  }
  if (trusted) print("Genuine.\n");
  else if (genuine)
    print(
      "Unchanged, but signed by nobody you named; --public-key names a key that you got from the signer.\n",
    );
  else print("Not genuine.\n");
}

/** Judges the certificate. A key that is none is the caller's mistake, and a finding when it only lay beside. */
function verify(
  text: string,
  publicKeys: string[],
  folder: string,
  beside: string | undefined,
): CertificateVerification {
  const value = parse(text);
  const files = filesBeside(value, folder);
  try {
    const judged = verifyCertificate(value, {
      publicKeys,
      files,
      ...(beside === undefined ? {} : { beside }),
    });
    const { certificate } = judged;
    if (certificate === undefined || certificateText(certificate) === text) return judged;
    const message = "the certificate is not, byte for byte, as it was written";
    const finding = { part: "certificate", genuine: false, message };
    return { ...judged, genuine: false, trusted: false, findings: [finding, ...judged.findings] };
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    if (publicKeys.length > 0) throw new UsageError(`--public-key: ${error.message}`);
    const finding = { part: "key", genuine: false, message: `${PUBLIC_KEY_FILE}: ${error.message}` };
    return { genuine: false, trusted: false, findings: [finding] };
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
