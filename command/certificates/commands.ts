/** The commands that sign, renew, revoke and verify certificates. */

import type { Command } from "commander";
import { addRunOptions, collect, type Done, type Flags, MORE_HELP, SELECTING } from "../flags.ts";
import { OPTION_NAMES } from "../options/options.ts";

/** Options of certify and renew, which sign a certificate. `true` marks repeatable ones. */
const ISSUE_OPTIONS: readonly [flags: string, help: string, collected?: true][] = [
  [
    "--key <file>",
    "Ed25519 private key to sign with, and after it an ECDSA P-256 key for envelopes: a file, or its text in PEM form; better given by PAYMENTS_CONFORMANCE_KEY",
  ],
  ["--new-key", "make the keys if the file of --key is not there; never where CI is set"],
  ["--subject <text>", "whose service it is, to stand on the certificate"],
  [
    "--subject-digest <digest>",
    "what was tested, an image or a commit: sha256:..., sha512:... or gitCommit:...; repeatable",
    true,
  ],
  ["--valid-days <n>", "days for which the certificate holds (default: 365, for renew as before)"],
];

function addIssueOptions(command: Command): Command {
  for (const [flags, help, collected] of ISSUE_OPTIONS)
    if (collected) command.option(flags, help, collect);
    else command.option(flags, help);
  return addRunOptions(command, OPTION_NAMES, { defaults: { depth: "full" }, refused: SELECTING });
}

export function addCertify(program: Command, done: Done): void {
  addIssueOptions(program.command("certify"))
    .description("Run whole and complete, and sign a certificate when the target conforms.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { certifyCommand } = await import("./certify.ts");
      done(await certifyCommand(flags));
    });
}

export function addRenew(program: Command, done: Done): void {
  addIssueOptions(program.command("renew"))
    .description("Run again with the settings of a certificate, and replace it when the run is as good.")
    .argument("<certificate>", "certificate.json that certify wrote, with its reports beside it")
    .addHelpText("after", MORE_HELP)
    .action(async (certificate: string, flags: Flags) => {
      const { renewCommand } = await import("./renew.ts");
      done(await renewCommand(certificate, flags));
    });
}

export function addRevoke(program: Command, done: Done): void {
  program
    .command("revoke")
    .description("Add a certificate to a signed status list, which verify consults.")
    .argument("<certificate>", "file that certify wrote")
    .option("--status-list <file>", "list to add to; made if it is not there")
    .option("--reason <text>", "why it holds no longer; stands in the list")
    .option("--key <file>", "private key to sign the list with, as for certify")
    .action(async (certificate: string, flags: Flags) => {
      const { revokeCommand } = await import("./revoke.ts");
      done(revokeCommand(certificate, flags));
    });
}

export function addVerify(program: Command, done: Done): void {
  program
    .command("verify")
    .description("Check a certificate's signature, and that the report beside it is the one that was signed.")
    .argument("<certificate>", "file that certify wrote: certificate.json or certificate.intoto.jsonl")
    .option("--public-key <file>", "public key of a signer you trust (PEM); repeatable", collect)
    .option("--status-list <file>", "list of revoked certificates, signed by one of these keys")
    .option("--rejudge", "judge the history beside it again, and compare with the report")
    .option("--spec <dir>", "for --rejudge: folder of the edition that the run had, if it was another one")
    .option("--profile <file>", "for --rejudge: the profile that the run had")
    .option("--certificate-only", "leave the files beside it aside; verify the certificate alone")
    .option("--json", "print what was found as JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 genuine, 1 not genuine or contradicted by its history, 2 wrong use, 3 files that it signs are missing, 4 unchanged, but signed by nobody
you named, 5 genuine, but expired or revoked.`,
    )
    .action(async (certificate: string, flags: Flags) => {
      const { verifyCommand } = await import("./verify.ts");
      done(await verifyCommand(certificate, flags));
    });
}
