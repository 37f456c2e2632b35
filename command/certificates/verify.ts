import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  type AttestationsVerification,
  filesNamedIn,
  verifyAttestations,
} from "../../reports/certificates/attestations-verification.ts";
import { certificateText } from "../../reports/certificates/certificate.ts";
import {
  type CertificateVerification,
  verifyCertificate,
} from "../../reports/certificates/certificate-verification.ts";
import { CertificateRefused, publicKeyOf } from "../../reports/certificates/keys.ts";
import {
  badFinding,
  type Verification,
  type Verifying,
  withFinding,
} from "../../reports/certificates/verification.ts";
import { isInsecure } from "../../reports/headline.ts";
import { count, shown } from "../../reports/text.ts";
import { isObject } from "../../spec/json.ts";
import { jsonOf, MOST_MEGABYTES, readBytes, readText } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { print, printAsIs } from "../output.ts";
import { isOwnConfiguration, isOwnEdition } from "../own-edition.ts";
import { EXIT } from "../running/exit-codes.ts";
import { ATTESTATIONS_FILE, ATTESTATIONS_KEY_FILE, PUBLIC_KEY_FILE } from "./folder.ts";

const EXIT_CODES: Readonly<Record<Verification["status"], number>> = {
  valid: EXIT.ok,
  changed: EXIT.fails,
  contradicted: EXIT.fails,
  incomplete: EXIT.notJudged,
  "unknown-signer": EXIT.unknownSigner,
  revoked: EXIT.expired,
  expired: EXIT.expired,
};

type Judged = CertificateVerification & AttestationsVerification;

/** Checks a certificate, prints its statement, and returns the exit code. */
export async function verifyCommand(file: string, flags: Flags): Promise<number> {
  const given = (flags.publicKey ?? []) as string[];
  if (flags.rejudge === true && flags.certificateOnly === true)
    throw new UsageError("--rejudge needs the files that --certificate-only leaves aside");
  const found = judgeFile(file, {
    publicKeys: given.map(trustedKey),
    certificateOnly: flags.certificateOnly === true,
    ...(typeof flags.statusList === "string" ? { statusList: statusListIn(flags.statusList, given) } : {}),
  });
  const judged = flags.rejudge === true && found.genuine ? await judgedAgain(file, found, flags) : found;
  const code = EXIT_CODES[judged.status];
  if (flags.json === true) {
    const { certificate, attestations, ...found } = judged;
    const statement = judged.genuine ? (certificate?.statement ?? null) : null;
    const statements = judged.genuine && attestations !== undefined ? { statements: attestations } : {};
    printAsIs(`${JSON.stringify({ ...found, exitCode: code, statement, ...statements }, null, 2)}\n`);
  } else printJudged(judged);
  return code;
}

const STATUS_WORDS = {
  ok: "ok      ",
  bad: "BAD     ",
  missing: "missing ",
  expired: "expired ",
  revoked: "revoked ",
  contradicted: "DIFFERS ",
} as const;

function printJudged(judged: Judged): void {
  for (const { state, message } of judged.findings) print(`${STATUS_WORDS[state]} ${shown(message, 300)}\n`);
  if (judged.genuine) print(statedIn(judged));
  print(`${conclusionOf(judged)}\n`);
}

const OTHER_EDITION = "of another edition of the specification than this suite has";

/** Returns the statement of the certificate as a sentence. */
export function statedIn({ certificate, attestations }: Judged): string {
  const sentence = (subject: string | null | undefined, baseUrl: string, facts: string[]) => {
    const whose = typeof subject === "string" ? `${shown(subject, 300)}, ` : "";
    return `\n${whose}${shown(baseUrl, 300)} was conformant on ${facts.join(", ")}.\n`;
  };
  const tested = ({ tested, total, waived }: { tested: number; total: number; waived?: number }) =>
    `${tested} of ${total} MUST requirements tested${waived ? `, ${waived} violated and waived` : ""}`;
  if (certificate !== undefined) {
    const {
      service,
      run,
      subject,
      issuedAt,
      musts,
      spec,
      reservations = [],
      notOffered = [],
    } = certificate.statement;
    const { rulesOff = [] } = spec;
    return sentence(subject, service.baseUrl, [
      issuedAt,
      tested(musts),
      shown(spec.title, 200),
      ...(isOwnEdition(spec.sha256) ? [] : [`${OTHER_EDITION} (${spec.sha256.slice(0, 12)})`]),
      ...(rulesOff.length > 0 ? [`${count(rulesOff.length, "rule")} of the suite off`] : []),
      ...(isInsecure({ run }) ? ["the certificate of the target not checked (--insecure)"] : []),
      ...(notOffered.length > 0 ? [`${count(notOffered.length, "operation")} not offered`] : []),
      ...(reservations.length > 0 ? [`with ${count(reservations.length, "reservation")}`] : []),
    ]);
  }
  if (attestations === undefined) return "";
  const [{ subject: subjects, predicate }, summary] = attestations;
  const { paymentsConformance: facts, timeCreated } = summary.predicate;
  return sentence(facts.subject, facts.service.baseUrl, [
    timeCreated,
    tested(facts.musts),
    ...(isOwnConfiguration(predicate.configuration) ? [] : [OTHER_EDITION]),
    ...(predicate.warnedTests.length > 0
      ? [`with ${count(predicate.warnedTests.length, "reservation")}`]
      : []),
    ...subjects
      .filter(({ name }) => name === undefined)
      .flatMap(({ digest }) => Object.entries(digest).map(([name, value]) => shown(`${name}:${value}`, 200))),
  ]);
}

/** Returns the last line: whether the certificate can be relied on, and how far. */
function conclusionOf(judged: Judged): string {
  const { status, genuine, certificate, attestations, certificateOnly, expired } = judged;
  const until =
    certificate?.statement.validUntil ?? attestations?.[1].predicate.paymentsConformance.validUntil ?? "";
  const alone = certificateOnly ? " as far as the certificate goes; its files were not looked at" : "";
  switch (status) {
    case "valid":
      return `Genuine${alone}.`;
    case "revoked":
      return `Revoked: genuine${alone}, but whoever signed the status list took it back.`;
    case "expired":
      return `Expired: genuine${alone}, but it held only until ${until}.`;
    case "unknown-signer":
      return `Unchanged${alone}, but signed by nobody you named; --public-key names a key that you got from the signer.${expired ? ` It expired on ${until}.` : ""}`;
    case "contradicted":
      return "Contradicted: unchanged since it was signed, but its own history gives other outcomes than its report.";
    case "incomplete":
      if (genuine) return `Not judged again: unchanged${alone}, but its history shows too little.`;
      return "Not verified: the signature fits, but not all files that it covers lie beside it; --certificate-only verifies the certificate without them.";
    case "changed":
      return "Not genuine.";
  }
}

/** Checks a certificate or attestations, whichever the file holds. */
export function judgeFile(file: string, asked: Omit<Verifying, "files" | "beside">): Judged {
  const text = readText(file, "certificate", MOST_MEGABYTES.certificate);
  if (text.trimStart().startsWith("<"))
    throw new UsageError(`${file} is a page to read; name certificate.json or ${ATTESTATIONS_FILE}`);
  const folder = dirname(file);
  const isAttestations = file.endsWith(".jsonl") || text.startsWith('{"payload"');
  const keyFile = isAttestations ? ATTESTATIONS_KEY_FILE : PUBLIC_KEY_FILE;
  const beside = join(folder, keyFile);
  if (asked.publicKeys.length === 0 && !existsSync(beside)) {
    throw new UsageError(`there is no ${beside}; name the signer's public key with --public-key`);
  }
  const key = existsSync(beside) ? { beside: readText(beside, "public key") } : {};
  try {
    return isAttestations
      ? verifyAttestations(text, { ...asked, ...key, files: filesBeside(filesNamedIn(text), folder) })
      : judgeCertificate(text, { ...asked, ...key, files: {} }, folder);
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    const nothing = { expired: false, revoked: false, certificateOnly: false, findings: [] };
    return withFault(nothing, "key", `${keyFile}: ${error.message}`);
  }
}

async function judgedAgain(file: string, found: Judged, flags: Flags): Promise<Judged> {
  const { rejudgeBeside } = await import("./rejudge.ts");
  const named = (flag: unknown) => (typeof flag === "string" ? resolve(flag) : undefined);
  const [spec, profile] = [named(flags.spec), named(flags.profile)];
  const files = { ...(spec === undefined ? {} : { spec }), ...(profile === undefined ? {} : { profile }) };
  return withFinding(found, await rejudgeBeside(file, files));
}

/**
 * Returns the status list in the file.
 * @throws UsageError without a trusted key, because anybody can sign a list
 */
function statusListIn(file: string, publicKeys: readonly string[]): string {
  if (publicKeys.length === 0)
    throw new UsageError("--status-list is given without --public-key: whose list is it to be?");
  return readText(file, "status list", MOST_MEGABYTES.certificate);
}

/**
 * Returns the public key in the file.
 * @throws UsageError if it holds none.
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

function judgeCertificate(text: string, verifying: Verifying, folder: string): CertificateVerification {
  const value = jsonOf(text);
  const statement = isObject(value) && isObject(value.statement) ? value.statement : {};
  const names = isObject(statement.files) ? Object.keys(statement.files) : [];
  const files = verifying.certificateOnly ? {} : filesBeside(names, folder);
  const judged = verifyCertificate(value, { ...verifying, files });
  const { certificate } = judged;
  if (certificate === undefined || certificateText(certificate) === text) return judged;
  return withFault(judged, "certificate", "the certificate is not, byte for byte, as it was written");
}

function withFault(
  judged: Omit<CertificateVerification, "status" | "genuine" | "trusted">,
  part: string,
  message: string,
): CertificateVerification {
  const findings = [badFinding(part, message), ...judged.findings];
  return { ...judged, status: "changed", genuine: false, trusted: false, findings };
}

/**
 * Returns the content of these files of the folder. A path could lead to any file of the machine, so only
 * names in the folder count.
 */
function filesBeside(names: readonly string[], folder: string): Record<string, Uint8Array> {
  const there = names.filter((name) => name === basename(name) && existsSync(join(folder, name)));
  const read = (name: string) => readBytes(join(folder, name), "signed file", MOST_MEGABYTES.report);
  return Object.fromEntries(there.map((name) => [name, read(name)]));
}
