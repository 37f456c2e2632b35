import { CommanderError } from "commander";
import { SpecError } from "../spec/loading/source.ts";
import { UsageError } from "../spec/usage-error.ts";
import { explain, refuseMissingValues } from "./mistakes.ts";
import { OTHER_VARIABLES } from "./options/read-environment.ts";
import { complain, drained, tolerateClosedPipes } from "./output.ts";
import { buildProgram } from "./program.ts";
import { EXIT } from "./running/exit-codes.ts";
import { unlockFolders } from "./running/folder-lock.ts";

/** Runs the command that the arguments name, and ends the process with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  tolerateClosedPipes();
  process.on("uncaughtException", (error) => endWith(exitOfError(error)));
  let code: number = EXIT.ok;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    refuseMissingValues(program, argv);
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    code = error instanceof CommanderError ? exitOfMistake(error, program, argv) : exitOfError(error);
  }
  await endWith(code);
}

/** Explains a mistake in the arguments, and returns the exit code. Help is no mistake. */
function exitOfMistake(
  error: CommanderError,
  program: ReturnType<typeof buildProgram>,
  argv: readonly string[],
): number {
  if (error.exitCode === 0) return EXIT.ok;
  if (error.code !== "commander.help") complain(`payments-conformance: ${explain(error, program, argv)}`);
  return EXIT.usage;
}

/** Prints the error, with its stack trace if the user asks for it, and returns the exit code. */
function exitOfError(error: unknown): number {
  const debug = process.env[OTHER_VARIABLES.debug];
  const wanted = debug !== undefined && debug !== "" && debug !== "0" && debug !== "false";
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof SpecError) {
    complain(`payments-conformance: ${message}`);
    return EXIT.usage;
  }
  complain(`payments-conformance: something went wrong in the suite itself: ${message}`);
  if (wanted && error instanceof Error && error.stack !== undefined) complain(error.stack);
  else complain(`(${OTHER_VARIABLES.debug}=1 shows where)`);
  return EXIT.notJudged;
}

async function endWith(code: number): Promise<never> {
  await drained();
  unlockFolders();
  process.exit(code);
}
