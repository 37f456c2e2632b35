import { Command } from "commander";
import { packageIdentity } from "../runner/package-root.ts";
import { addCertify, addRenew, addRevoke, addVerify } from "./certificates/commands.ts";
import {
  addRunOptions,
  collect,
  type Done,
  type Flags,
  JUDGE_OPTIONS,
  MORE_HELP,
  REPLAY_OPTIONS,
} from "./flags.ts";

/** Returns the command line with all commands. They load their modules when called, so that help is fast. */
export function buildProgram(done: Done): Command {
  const { name, version } = packageIdentity();
  const program = new Command(name)
    .description("Contract and conformance tests for any implementation of the documented payments REST API.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {} });

  addRun(program, done);
  addServe(program, done);
  addList(program, done);
  addExplain(program, done);
  addReplay(program, done);
  addCompare(program, done);
  addBoard(program, done);
  addMerge(program, done);
  addCertify(program, done);
  addRenew(program, done);
  addRevoke(program, done);
  addVerify(program, done);
  addJudge(program, done);
  addPlan(program, done);
  addDoctor(program, done);
  addWaivers(program, done);
  addInit(program, done);
  addCompletion(program, done);
  return program;
}

function addRun(program: Command, done: Done): void {
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
      const { runCommand } = await import("./running/run.ts");
      done(await runCommand(flags));
    });
}

function addServe(program: Command, done: Done): void {
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
}

function addList(program: Command, done: Done): void {
  program
    .command("list")
    .description("List the requirements, with level, section and the checks that test them.")
    .option("--format <name>", "text, json or markdown (default: text)")
    .option("--spec <dir>", "folder with another edition of openapi.yaml and requirements.yaml")
    .option("--profile <file>", "vendor profile, whose promises are requirements too")
    .action(async (flags: Flags) => {
      const { listCommand } = await import("./listing/list.ts");
      done(listCommand(flags));
    });
}

function addExplain(program: Command, done: Done): void {
  program
    .command("explain")
    .description("Explain a requirement or a check, and how to run it alone.")
    .argument("<id>", "id of a requirement or of a check")
    .option("--spec <dir>", "folder with another edition of openapi.yaml and requirements.yaml")
    .option("--profile <file>", "vendor profile, whose promises are requirements too")
    .action(async (id: string, flags: Flags) => {
      const { explainCommand } = await import("./listing/explain.ts");
      done(explainCommand(id, flags));
    });
}

function addReplay(program: Command, done: Done): void {
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
      const { replayCommand } = await import("./running/replay.ts");
      done(await replayCommand(report, check, flags));
    });
}

function addCompare(program: Command, done: Done): void {
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
      const { compareCommand } = await import("./reports/compare.ts");
      done(compareCommand(before, after, flags));
    });
}

function addBoard(program: Command, done: Done): void {
  program
    .command("board")
    .description(
      "Show many reports side by side: requirements by service, trends, and where services differ.",
    )
    .argument("<report...>", "report.json of a run, or a folder that holds some, at any depth")
    .option("--out <dir>", "folder for index.html, board.json and badges (default: conformance-board)")
    .action(async (reports: string[], flags: Flags) => {
      const { boardCommand } = await import("./reports/board.ts");
      done(boardCommand(reports, flags));
    });
}

function addMerge(program: Command, done: Done): void {
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
      const { mergeCommand } = await import("./reports/merge.ts");
      done(mergeCommand(reports, flags));
    });
}

function addJudge(program: Command, done: Done): void {
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
    { defaults: { out: "conformance-judged", baseUrl: "the one that most requests have in common" } },
  )
    .description("Judge recorded traffic. Sends nothing.")
    .addHelpText("after", MORE_HELP)
    .action(async (files: string[], flags: Flags) => {
      const { judgeCommand } = await import("./judging/judge.ts");
      done(await judgeCommand(files, flags));
    });
}

function addPlan(program: Command, done: Done): void {
  addRunOptions(
    program
      .command("plan")
      .option("--format <name>", "text or json (default: text)")
      .option("--latency <ms>", "milliseconds that the service takes to answer (default: 50)"),
  )
    .description("Estimate what a run would send and create, and how long it takes. Sends nothing.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { planCommand } = await import("./running/plan.ts");
      done(await planCommand(flags));
    });
}

function addDoctor(program: Command, done: Done): void {
  addRunOptions(program.command("doctor"))
    .description("Send a few harmless requests, and say what is wrong with the target or the settings.")
    .addHelpText("after", MORE_HELP)
    .action(async (flags: Flags) => {
      const { doctorCommand } = await import("./running/doctor.ts");
      done(await doctorCommand(flags));
    });
}

function addWaivers(program: Command, done: Done): void {
  program
    .command("waivers")
    .description("Write a waivers file that covers the failures of a report.")
    .option("--from <report>", "report.json of a run, best of depth full")
    .option("--expires <date>", "last day on which the waivers hold: YYYY-MM-DD, in UTC")
    .option("--reason <text>", "why the violations are accepted for now; shown in every report")
    .option("--out <file>", "file to write (default: waivers.yaml); never overwritten")
    .action(async (flags: Flags) => {
      const { waiversCommand } = await import("./reports/waivers.ts");
      done(waiversCommand(flags));
    });
}

function addInit(program: Command, done: Done): void {
  program
    .command("init")
    .description("Write a commented payments-conformance.yaml to start from, or with --ci a recipe.")
    .option("--ci <server>", "write the recipe of a CI server instead: github, gitlab or jenkins")
    .option("--out <file>", "file to write (default: the one that is read)")
    .option("--force", "replace a file that is there; a copy of it is kept")
    .action(async (flags: Flags) => {
      const { initCommand } = await import("./setup/init.ts");
      done(initCommand(flags));
    });
}

function addCompletion(program: Command, done: Done): void {
  program
    .command("completion")
    .description("Print a completion script for a shell: bash, zsh or fish.")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) => {
      const { completionCommand } = await import("./setup/completion.ts");
      done(completionCommand(shell, program));
    });
}
