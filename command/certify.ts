import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { CertificateRefused, certificateText, createCertificate, PAGE_FILE } from "../reports/certificate.ts";
import { renderCertificatePage } from "../reports/html/certificate.ts";
import { wholeNumber } from "./choose.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { type Flags, valuesFrom } from "./flags.ts";
import type { OptionValues } from "./options/options.ts";
import { complain, print } from "./output.ts";
import { runAndReport } from "./run.ts";
import { signingKey } from "./signing-key.ts";
import { REPORT_FILES, writeWhole } from "./write-reports.ts";

const CERTIFICATE_FILE = "certificate.json";
/** The certificate as a page to read; its digest is signed with those of the reports. */
const CERTIFICATE_PAGE = PAGE_FILE;
/** The public half of the signing key, beside the certificate: to hand on, not to trust. */
export const PUBLIC_KEY_FILE = "certificate.pub.pem";

/**
 * `certify`: a whole and complete run, and, when the target conforms, a signed certificate beside the reports.
 * When it does not, a certificate of an earlier run there is removed: it belongs to reports that are gone. Exit codes
 * are those of `run`; without a certificate it is never 0.
 */
export async function certifyCommand(flags: Flags): Promise<number> {
  const values: OptionValues = { ...valuesFrom(flags), depth: "full", requireComplete: true };
  const subject = typeof flags.subject === "string" && flags.subject !== "" ? flags.subject : undefined;
  const validDays = wholeNumber("--valid-days", flags.validDays, 1, 3_650);
  const key = signingKey(flags.key, flags.newKey === true, process.env);
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
      ...(subject === undefined ? {} : { subject }),
      ...(validDays === undefined ? {} : { validDays }),
      page: renderCertificatePage,
    });
    writeWhole(join(out, CERTIFICATE_FILE), certificateText(certificate));
    writeWhole(join(out, CERTIFICATE_PAGE), renderCertificatePage(certificate.statement));
    writeWhole(join(out, PUBLIC_KEY_FILE), key.publicKey);
    const folder = relative(process.cwd(), out) || ".";
    if (!quiet) {
      print(`  signed    ${CERTIFICATE_FILE}, ${CERTIFICATE_PAGE}, ${PUBLIC_KEY_FILE} in ${folder}/\n`);
      print(`  key       ${certificate.statement.keyId}, ${key.origin}\n`);
    }
    return code;
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    for (const name of [CERTIFICATE_FILE, CERTIFICATE_PAGE, PUBLIC_KEY_FILE]) {
      rmSync(join(out, name), { force: true });
    }
    complain(`payments-conformance: no certificate: ${error.message}`);
    return code === EXIT.ok ? EXIT.notJudged : code;
  }
}
