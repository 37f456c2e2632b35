import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { createAttestations, type Resource } from "../../reports/certificates/attestations.ts";
import {
  type Certificate,
  certificateText,
  createCertificate,
} from "../../reports/certificates/certificate.ts";
import { CertificateRefused } from "../../reports/certificates/keys.ts";
import { replayCommand } from "../../reports/formats/curl.ts";
import { renderCertificatePage } from "../../reports/html/certificate.ts";
import type { Report } from "../../reports/report.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { type Flags, SELECTING, valuesFrom } from "../flags.ts";
import { invocation } from "../invocation.ts";
import { flagOf, variableOf } from "../options/names.ts";
import { DEFAULT_CONFIG_FILE, type OptionValues } from "../options/options.ts";
import { complain, isQuiet, print, shownPath } from "../output.ts";
import { EXIT, exitCodeOf } from "../running/exit-codes.ts";
import { HISTORY, TRAFFIC } from "../running/recordings.ts";
import { runAndWrite } from "../running/run.ts";
import { CREATED, writeReports, writeWhole } from "../running/write-reports.ts";
import { wholeNumber } from "../setup/choose.ts";
import { configurationOf, subjectsOf } from "./attestation-input.ts";
import {
  ATTESTATIONS_FILE,
  ATTESTATIONS_KEY_FILE,
  CERTIFICATE_FILE,
  CERTIFICATE_PAGE,
  holdsValidCertificate,
  PUBLIC_KEY_FILE,
} from "./folder.ts";
import { type SigningKey, signingKey } from "./signing-key.ts";

const RENEWAL = "renewal";

export interface Issue {
  key: SigningKey;
  subject?: string;
  validDays?: number;
  subjects: Resource[];
}

/**
 * Returns what decides the certificate: its key, its days and its subjects.
 * @throws UsageError if they contradict each other.
 */
export function issueFrom(flags: Flags): Issue {
  const validDays = wholeNumber("--valid-days", flags.validDays, 1, 3_650);
  const subjects = subjectsOf(flags.subjectDigest);
  const key = signingKey(flags.key, flags.newKey === true, process.env);
  if (subjects.length > 0 && key.envelopes === undefined)
    throw new UsageError(
      "--subject-digest stands in certificate.intoto.jsonl, which an ECDSA P-256 key signs: add one to the text of --key",
    );
  return {
    key,
    subjects,
    ...(typeof flags.subject === "string" && flags.subject !== "" ? { subject: flags.subject } : {}),
    ...(validDays === undefined ? {} : { validDays }),
  };
}

/** Returns 0 only if a certificate was made. */
export async function certifyCommand(flags: Flags): Promise<number> {
  const given = valuesFrom(flags);
  refuseReference(given, flags.subject);
  refuseSelection(given);
  const issue = issueFrom(flags);
  const out = given.out ?? ".";
  return runAndCertify(given, issue, { out, renews: holdsValidCertificate(out) });
}

interface Place {
  out: string;
  renews: boolean;
  /** Returns the reason why the run may not renew the certificate. */
  worse?: (report: Report) => string | undefined;
}

/**
 * Runs the suite at depth full, signs a certificate if the service conforms, and returns the exit code. A
 * renewal has a folder of its own, so that a failed one leaves the old certificate unchanged.
 */
export async function runAndCertify(given: OptionValues, issue: Issue, place: Place): Promise<number> {
  const { out, renews } = place;
  const folder = renews ? join(out, RENEWAL) : out;
  const values: OptionValues = { ...given, depth: "full", requireComplete: true, out: folder };
  const configuration = configurationOf(values);
  const run = await runAndWrite(values);
  const code = exitCodeOf(run.report, run.interrupted);
  const report = renews ? withCommandsFor(out, run.report) : run.report;
  const worse = code === EXIT.ok ? place.worse?.(report) : undefined;
  const files = run.files.map((file) => basename(file));
  let certificate: Certificate;
  try {
    if (run.misplaced) throw new CertificateRefused(`not all reports could be written into ${folder}`);
    if (worse !== undefined) throw new CertificateRefused(worse);
    if (renews) writeReports(report, folder, values.export);
    certificate = writeCertificate(report, issue, { folder, files, configuration });
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    run.summarise(run.report, run.files);
    const kept = renews ? `; the certificate in ${shownPath(out)} stays as it is` : "";
    complain(`payments-conformance: no certificate: ${error.message}${kept}`);
    if (worse !== undefined) return EXIT.fails;
    return code === EXIT.ok ? EXIT.notJudged : code;
  }
  if (renews) replaceCertificate(out, folder, certificate);
  run.summarise(
    report,
    files.map((file) => join(out, file)),
  );
  if (!isQuiet(values)) printCertificate(certificate, issue.key, out);
  return code;
}

/** Signs the certificate over the files of the folder, writes it, and returns it. */
function writeCertificate(
  report: Report,
  { key, subjects, ...facts }: Issue,
  { folder, files, configuration }: { folder: string; files: string[]; configuration: Resource[] },
): Certificate {
  const names = [...files, CREATED, HISTORY, TRAFFIC];
  const input = { report, files: filesIn(folder, names), issuedAt: new Date(), ...facts };
  if (key.envelopes !== undefined) {
    const { privateKey, publicKey } = key.envelopes;
    const text = createAttestations({ ...input, privateKey, subjects, configuration });
    writeWhole(join(folder, ATTESTATIONS_FILE), text);
    writeWhole(join(folder, ATTESTATIONS_KEY_FILE), publicKey);
    input.files = filesIn(folder, [...names, ATTESTATIONS_FILE, ATTESTATIONS_KEY_FILE]);
  }
  const certificate = createCertificate({
    ...input,
    privateKey: key.privateKey,
    page: renderCertificatePage,
  });
  writeWhole(join(folder, CERTIFICATE_PAGE), renderCertificatePage(certificate.statement));
  writeWhole(join(folder, PUBLIC_KEY_FILE), key.publicKey);
  writeWhole(join(folder, CERTIFICATE_FILE), certificateText(certificate));
  return certificate;
}

/**
 * Checks that a service is named to certify.
 * @throws UsageError without an address, unless --embedded asks for a sample
 */
function refuseReference({ baseUrl, embedded }: OptionValues, subject: unknown): void {
  if (baseUrl !== undefined) return;
  if (embedded !== true)
    throw new UsageError(
      `certify needs --base-url (${variableOf("baseUrl")}): the embedded reference service is nobody's service to certify; --embedded shows what a certificate looks like`,
    );
  if (subject !== undefined && subject !== "")
    throw new UsageError("--subject names whose service it is, and with --embedded it is nobody's");
}

/**
 * Checks that the whole suite runs.
 * @throws UsageError if checks are left out, because a certificate speaks of a whole run
 */
export function refuseSelection(values: OptionValues): void {
  const chosen = SELECTING.filter((name) => ![undefined, "", "false"].includes(values[name]?.toString()));
  if (chosen.length === 0) return;
  const places = chosen.map(
    (name) => `${flagOf(name)} (${variableOf(name)}, ${name} in ${DEFAULT_CONFIG_FILE})`,
  );
  throw new UsageError(
    `a certificate needs a whole run, so ${places.join(", ")} can't be given; --waivers names known deviations, and --offers the parts of the API that the service has`,
  );
}

/**
 * Returns the report with commands that name files in `out`. The reports move to `out` later, so their
 * commands name files there.
 */
function withCommandsFor(out: string, report: Report): Report {
  const file = relative(process.cwd(), join(out, "report.json"));
  const checks = report.checks.map((check) =>
    check.reproduce === undefined
      ? check
      : { ...check, reproduce: { ...check.reproduce, command: replayCommand(invocation(), file, check.id) } },
  );
  return { ...report, checks };
}

function filesIn(folder: string, names: readonly string[]): Record<string, Uint8Array> {
  const there = names.filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(there.map((name) => [name, readFileSync(join(folder, name))]));
}

/**
 * Moves the renewed files in place of the old ones, and removes files that only the old certificate signs.
 */
function replaceCertificate(out: string, renewal: string, renewed: Certificate): void {
  const old: Certificate = JSON.parse(readFileSync(join(out, CERTIFICATE_FILE), "utf8"));
  const names = [...Object.keys(renewed.statement.files), PUBLIC_KEY_FILE, CERTIFICATE_FILE];
  for (const name of Object.keys(old.statement.files))
    if (name === basename(name) && !names.includes(name)) rmSync(join(out, name), { force: true });
  for (const name of names) renameSync(join(renewal, name), join(out, name));
  rmSync(renewal, { recursive: true });
}

function printCertificate(certificate: Certificate, key: SigningKey, out: string): void {
  const attested = key.envelopes === undefined ? [] : [ATTESTATIONS_FILE, ATTESTATIONS_KEY_FILE];
  const files = [CERTIFICATE_FILE, CERTIFICATE_PAGE, PUBLIC_KEY_FILE, ...attested];
  print(`  signed    ${files.join(", ")} in ${shownPath(out)}/\n`);
  print(`  key       ${certificate.statement.keyId}, ${key.origin}\n`);
  if (key.envelopes === undefined)
    print(`  no ${ATTESTATIONS_FILE}: the text of the key holds no ECDSA P-256 key beside the Ed25519 key\n`);
}
