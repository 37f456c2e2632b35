import { createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { CertificateRefused, createCertificate, generateKeyPair } from "../../reports/certificate.ts";
import type { OptionValues } from "../config/options.ts";
import { OTHER_VARIABLES } from "../config/read-environment.ts";
import { readText } from "../config/read-file.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { REPORT_FILES, writeWhole } from "../write-reports.ts";
import { type Flags, valuesFrom } from "./flags.ts";
import { complain, print } from "./output.ts";
import { runAndReport } from "./run.ts";

export const CERTIFICATE_FILE = "certificate.json";
/** The public half of the signing key, beside the certificate: to hand on, not to trust. */
export const PUBLIC_KEY_FILE = "certificate.pub.pem";

/**
 * `certify`: a strict and complete run, and, when the target conforms, a signed certificate beside the reports.
 * Exit codes are those of `run`; without a certificate it is never 0.
 */
export async function certifyCommand(flags: Flags): Promise<number> {
  const values: OptionValues = { ...valuesFrom(flags), strict: true, requireComplete: true };
  const key = signingKey(flags.signingKey ?? process.env[OTHER_VARIABLES.signingKey]);
  const { report, interrupted } = await runAndReport(values);
  const code = exitCodeOf(report, interrupted);
  const out = values.out ?? ".";
  const quiet = values.reporter === "json" || values.reporter === "silent";
  try {
    const names = Object.keys(REPORT_FILES);
    const certificate = createCertificate({
      report,
      files: Object.fromEntries(names.map((name) => [name, readFileSync(join(out, name))])),
      privateKey: key.privateKey,
      issuedAt: new Date(),
      ...profileOf(values),
    });
    writeWhole(join(out, CERTIFICATE_FILE), `${JSON.stringify(certificate, null, 2)}\n`);
    writeWhole(join(out, PUBLIC_KEY_FILE), key.publicKey);
    const file = relative(process.cwd(), join(out, CERTIFICATE_FILE));
    if (!quiet) print(`  signed    ${file} with key ${certificate.statement.keyId}\n`);
    return code;
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    complain(`payments-conformance: no certificate: ${error.message}`);
    return code === EXIT.ok ? EXIT.notJudged : code;
  }
}

interface SigningKey {
  privateKey: string;
  publicKey: string;
}

/** The key of a file, which is made when it is not there; without one, a key that nobody keeps. */
function signingKey(file: unknown): SigningKey {
  if (file === undefined || file === "") return generateKeyPair();
  const name = String(file);
  if (!existsSync(name)) {
    const pair = generateKeyPair();
    writeWhole(name, pair.privateKey, 0o600);
    return pair;
  }
  const privateKey = readText(name, "signing key");
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== "ed25519") throw new Error("not Ed25519");
    return { privateKey, publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString() };
  } catch {
    throw new UsageError(`${name} is no Ed25519 private key in PEM form`);
  }
}

function profileOf({ profile }: OptionValues): { profile?: { name: string; bytes: Buffer } } {
  return profile === undefined ? {} : { profile: { name: basename(profile), bytes: readFileSync(profile) } };
}
