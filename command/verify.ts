import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CertificateRefused, certificateText } from "../reports/certificate.ts";
import {
  type CertificateVerification,
  publicKeyOf,
  verifyCertificate,
} from "../reports/certificate-verification.ts";
import { count, shown } from "../reports/text.ts";
import { isObject } from "../spec/json.ts";
import { isTooDeep, MOST_MEGABYTES, readBytes, readText } from "../spec/loading/read-file.ts";
import { UsageError } from "../spec/usage-error.ts";
import { PUBLIC_KEY_FILE } from "./certificate-folder.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { print, printAsIs } from "./output.ts";

const EXIT_CODES: Readonly<Record<CertificateVerification["status"], number>> = {
  valid: EXIT.ok,
  changed: EXIT.fails,
  incomplete: EXIT.notJudged,
  "unknown-signer": EXIT.unknownSigner,
  expired: EXIT.expired,
};

/**
 * `verify`: whether a certificate and the files beside it are as they were signed, by whom, and whether it still holds.
 * Each status has its own exit code.
 */
export function verifyCommand(file: string, flags: Flags): number {
  const text = readText(file, "certificate", MOST_MEGABYTES.certificate);
  const folder = dirname(file);
  const given = (flags.publicKey ?? []) as string[];
  const beside = join(folder, PUBLIC_KEY_FILE);
  if (given.length === 0 && !existsSync(beside)) {
    throw new UsageError(`there is no ${beside}; name the signer's public key with --public-key`);
  }
  const judged = verify(text, {
    publicKeys: given.map(trustedKey),
    folder,
    beside: existsSync(beside) ? readText(beside, "public key") : undefined,
    certificateOnly: flags.certificateOnly === true,
  });
  const code = EXIT_CODES[judged.status];
  if (flags.json === true) {
    const { certificate, ...found } = judged;
    const statement = judged.genuine ? (certificate?.statement ?? null) : null;
    printAsIs(`${JSON.stringify({ ...found, exitCode: code, statement }, null, 2)}\n`);
  } else tell(judged);
  return code;
}

const WORDS = { ok: "ok      ", bad: "BAD     ", missing: "missing ", expired: "expired " } as const;

function tell(judged: CertificateVerification): void {
  const { certificate, findings, genuine } = judged;
  for (const { state, message } of findings) print(`${WORDS[state]} ${shown(message, 300)}\n`);
  if (certificate !== undefined && genuine) {
    const {
      service,
      subject,
      verdict,
      issuedAt,
      musts,
      spec,
      reservations = [],
      notOffered = [],
    } = certificate.statement;
    const whose = typeof subject === "string" ? `${shown(subject, 300)}, ` : "";
    print(`\n${whose}${shown(service.baseUrl, 300)} was ${verdict} on ${issuedAt}, `);
    const waived = musts.waived ? `, ${musts.waived} violated and waived` : "";
    print(`${musts.tested} of ${musts.total} MUST requirements tested${waived}, ${shown(spec.title, 200)}`);
    if (notOffered.length > 0) print(`, ${count(notOffered.length, "operation")} not offered`);
    print(reservations.length > 0 ? `, with ${count(reservations.length, "reservation")}.\n` : ".\n");
  }
  print(`${conclusion(judged)}\n`);
}

/** The last line: the status in words. */
function conclusion({ status, certificate, certificateOnly, expired }: CertificateVerification): string {
  const until = certificate?.statement.validUntil ?? "";
  const alone = certificateOnly ? " as far as the certificate goes; its files were not looked at" : "";
  switch (status) {
    case "valid":
      return `Genuine${alone}.`;
    case "expired":
      return `Expired: genuine${alone}, but it held only until ${until}.`;
    case "unknown-signer":
      return `Unchanged${alone}, but signed by nobody you named; --public-key names a key that you got from the signer.${expired ? ` It expired on ${until}.` : ""}`;
    case "incomplete":
      return "Not verified: the signature fits, but not all files that it covers lie beside it; --certificate-only verifies the certificate without them.";
    case "changed":
      return "Not genuine.";
  }
}

interface Beside {
  publicKeys: string[];
  folder: string;
  beside: string | undefined;
  certificateOnly: boolean;
}

/**
 * The public key (PEM) in a file that the user trusts.
 *
 * @throws UsageError if it holds anything else.
 */
function trustedKey(file: string): string {
  const pem = readText(file, "public key");
  try {
    publicKeyOf(pem);
    return pem;
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    throw new UsageError(`--public-key ${file}: ${error.message}`);
  }
}

/** Judges the text of a certificate. A key beside it that is none is a fault of the certificate. */
function verify(
  text: string,
  { publicKeys, folder, beside, certificateOnly }: Beside,
): CertificateVerification {
  const value = parse(text);
  try {
    const judged = verifyCertificate(value, {
      publicKeys,
      files: certificateOnly ? {} : filesBeside(value, folder),
      certificateOnly,
      ...(beside === undefined ? {} : { beside }),
    });
    const { certificate } = judged;
    if (certificate === undefined || certificateText(certificate) === text) return judged;
    return withFault(judged, "certificate", "the certificate is not, byte for byte, as it was written");
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    const nothing = { expired: false, certificateOnly, findings: [] };
    return withFault(nothing, "key", `${PUBLIC_KEY_FILE}: ${error.message}`);
  }
}

/** A verification in which this part is also wrong. */
function withFault(
  judged: Pick<CertificateVerification, "expired" | "certificateOnly" | "findings" | "certificate">,
  part: string,
  message: string,
): CertificateVerification {
  const finding = { part, genuine: false, state: "bad" as const, message };
  const findings = [finding, ...judged.findings];
  return { ...judged, status: "changed", genuine: false, trusted: false, findings };
}

function parse(text: string): unknown {
  if (isTooDeep(text)) return undefined;
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
  const read = (name: string) => readBytes(join(folder, name), "signed file", MOST_MEGABYTES.report);
  return Object.fromEntries(there.map((name) => [name, read(name)]));
}
