import type { Command, CommanderError } from "commander";
import { didYouMean } from "../spec/nearest.ts";

/** What commander found wrong with a command line, as a sentence that names the nearest valid word. */
export function explain(error: CommanderError, program: Command, argv: readonly string[]): string {
  const sentence = error.message.replace(/^error: /, "").trim();
  const [, word = ""] = /'([^']*)'/.exec(sentence) ?? [];
  const command = program.commands.find((each) => each.name() === argv[0]) ?? program;
  if (error.code === "commander.unknownOption") {
    const [flag = word] = word.split("=");
    const known = command.createHelp().visibleOptions(command);
    return `unknown option ${flag}${didYouMean(
      flag,
      known.flatMap((option) => option.long ?? []),
    )}`;
  }
  if (error.code === "commander.unknownCommand") {
    return `unknown command ${word}${didYouMean(
      word,
      program.commands.map((each) => each.name()),
    )}`;
  }
  return sentence;
}
