import { Command } from "commander";
import { packageIdentity } from "../runner/package-root.ts";
import { addRunOptions, type Flags, JUDGE_OPTIONS, REPLAY_OPTIONS } from "./flags.ts";

/** Commands load their modules when called, so that help is fast. */
export function buildProgram(done: (exitCode: number) => void): Command {
  const { name, version } = packageIdentity();
  const program = new Command(name)
    .description("Contract and conformance tests for any implementation of the documented payments REST API.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {} });

  addRunOptions(
    program
      .command("run")
      .option(
        "--suggest-profile [file]",
        "write a vendor profile from what the run sees, to correct and sign off (default: profile.yaml)",
      ),
  )
    .description(
      "Run the suite against a service (without --base-url, against the embedded reference service).",
    )
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { runCommand } = await import("./run.ts");
      done(await runCommand(flags));
    });

  program
    .command("serve")
    .description("Run the reference service, to develop clients against.")
    .option("--port <n>", "port to listen on (default: a free one)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option(
      "--defect <name>",
      "switch a defect on, by its name or a glob (no-credentials@*); repeatable",
      collect,
    )
    .option("--list-defects", "list the named defects and end")
    .action(async (flags: Flags) => {
      const { serveCommand } = await import("./serve.ts");
      done(await serveCommand(flags));
    });

  program
    .command("list")
    .description("List the requirements, with level, section and the checks that test them.")
    .option("--format <name>", "text, json or markdown (default: text)")
    .option("--spec <dir>", "folder with another edition of openapi.yaml and requirements.yaml")
    .option("--profile <file>", "vendor profile, whose promises are requirements too")
    .action(async (flags: Flags) => {
      const { listCommand } = await import("./list.ts");
      done(listCommand(flags));
    });

  program
    .command("explain")
    .description("Explain a requirement or a check, and how to run it alone.")
    .argument("<id>", "id of a requirement or of a check")
    .option("--spec <dir>", "folder with another edition of openapi.yaml and requirements.yaml")
    .option("--profile <file>", "vendor profile, whose promises are requirements too")
    .action(async (id: string, flags: Flags) => {
      const { explainCommand } = await import("./explain.ts");
      done(explainCommand(id, flags));
    });

  addRunOptions(
    program
      .command("replay")
      .argument("<report>", "report.json of an earlier run")
      .argument("[check]", "id of the one check to run again (default: all that failed)"),
    REPLAY_OPTIONS,
  )
    .description("Run the failures of a report again: same seed, same or another target.")
    .addHelpText(
      "after",
      `\nWhat no flag says is as it was in the report; tokens are in no report.\n${MORE_HELP}`,
    )
    .action(async (report: string, check: string | undefined, flags: Flags) => {
      const { replayCommand } = await import("./replay.ts");
      done(await replayCommand(report, check, flags));
    });

  program
    .command("compare")
    .description(
      "Compare two reports; exit code 1 if something got worse, 3 if the new run proves too little.",
    )
    .option("--fail-on-untested", "exit 1 if anything that was tested is not tested any more")
    .option(
      "--fail-on-changes <glob>",
      "exit 1 when an observation of such a requirement, practice or operation changed; repeatable",
      collect,
    )
    .argument("<old>", "report.json of the earlier run")
    .argument("<new>", "report.json of the later run")
    .option("--format <name>", "text, json, markdown or html (default: text)")
    .action(async (before: string, after: string, flags: Flags) => {
      const { compareCommand } = await import("./compare.ts");
      done(compareCommand(before, after, flags));
    });

  program
    .command("board")
    .description(
      "Show many reports side by side: requirements by service, trends, and where services differ.",
    )
    .argument("<report...>", "report.json of a run, or a folder that holds some, at any depth")
    .option("--out <dir>", "folder for index.html, board.json and badges (default: conformance-board)")
    .action(async (reports: string[], flags: Flags) => {
      const { boardCommand } = await import("./board.ts");
      done(boardCommand(reports, flags));
    });

  program
    .command("merge")
    .description("Merge the reports of a run's shards.")
    .argument("<report...>", "report.json of each shard")
    .option("--out <dir>", "folder for the reports (default: conformance-report)")
    .option(
      "--allow-inconclusive",
      "exit 0 if nothing fails but the whole is inconclusive, whatever the options of its parts",
    )
    .option("--reporter <name>", "output: pretty, plain, json, github or silent")
    .action(async (reports: string[], flags: Flags) => {
      const { mergeCommand } = await import("./merge.ts");
      done(mergeCommand(reports, flags));
    });

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
  const issuing = (command: Command) => {
    for (const [flags, help, collected] of ISSUE_OPTIONS)
      if (collected) command.option(flags, help, collect);
      else command.option(flags, help);
    return addRunOptions(command);
  };

  issuing(program.command("certify"))
    .description("Run whole and complete, and sign a certificate when the target conforms.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { certifyCommand } = await import("./certify.ts");
      done(await certifyCommand(flags));
    });

  issuing(program.command("renew"))
    .description("Run again with the settings of a certificate, and replace it when the run is as good.")
    .argument("<certificate>", "certificate.json that certify wrote, with its reports beside it")
    .addHelpText("after", MORE_HELP)
    .action(async (certificate: string, flags: Flags) => {
      const { renewCommand } = await import("./renew.ts");
      done(await renewCommand(certificate, flags));
    });

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

  addRunOptions(
    program
      .command("judge")
      .argument(
        "[file...]",
        "history.ndjson of a run, or traffic as HAR or NDJSON; packed or not; - for standard input",
      )
      .option(
        "--ignore-header <name>",
        "a header that a gateway adds, changes or leaves out in the recording; repeatable",
        collect,
      )
      .option("--sole-writer", "nobody else wrote to the space while the traffic was recorded")
      .option("--listen <port>", "listen on this local port, pass all requests on to --to, and judge them")
      .option("--to <url>", "the service behind --listen")
      .option("--follow", "wait for more at the end of the file, until interrupted"),
    JUDGE_OPTIONS,
  )
    .description("Judge recorded traffic. Sends nothing.")
    .addHelpText("after", MORE_HELP)
    .action(async (files: string[], flags: Flags) => {
      const { judgeCommand } = await import("./judge.ts");
      done(await judgeCommand(files, flags));
    });

  addRunOptions(
    program
      .command("plan")
      .option("--format <name>", "text or json (default: text)")
      .option("--latency <ms>", "milliseconds that the service takes to answer (default: 50)"),
  )
    .description("Estimate what a run would send and create, and how long it takes. Sends nothing.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { planCommand } = await import("./plan.ts");
      done(await planCommand(flags));
    });

  addRunOptions(program.command("doctor"))
    .description("Send a few harmless requests, and say what is wrong with the target or the settings.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { doctorCommand } = await import("./doctor.ts");
      done(await doctorCommand(flags));
    });

  program
    .command("waivers")
    .description("Write a waivers file that covers the failures of a report.")
    .option("--from <report>", "report.json of a run, best of depth full")
    .option("--expires <date>", "last day on which the waivers hold: YYYY-MM-DD, in UTC")
    .option("--reason <text>", "why the violations are accepted for now; shown in every report")
    .option("--out <file>", "file to write (default: waivers.yaml); never overwritten")
    .action(async (flags: Flags) => {
      const { waiversCommand } = await import("./waivers.ts");
      done(waiversCommand(flags));
    });

  program
    .command("init")
    .description("Write a commented payments-conformance.yaml to start from, or with --ci a recipe.")
    .option("--ci <server>", "write the recipe of a CI server instead: github, gitlab or jenkins")
    .option("--out <file>", "file to write (default: the one that is read)")
    .option("--force", "replace a file that is there; a copy of it is kept")
    .action(async (flags: Flags) => {
      const { initCommand } = await import("./init.ts");
      done(initCommand(flags));
    });

  program
    .command("completion")
    .description("Print a completion script for a shell: bash, zsh or fish.")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) => {
      const { completionCommand } = await import("./completion.ts");
      done(completionCommand(shell, program));
    });

  return program;
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

const MORE_HELP = `
Every option can also stand in payments-conformance.yaml (secondSpace: …) or in an environment variable
(PAYMENTS_CONFORMANCE_SECOND_SPACE); a flag beats the environment, which beats the file.

Exit codes: 0 conformant in scope, 1 something fails, 2 wrong use, 3 could not be judged or inconclusive
(--allow-inconclusive makes the latter 0), 130 interrupted.`;
