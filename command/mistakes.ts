import type { Command, CommanderError } from "commander";
import { didYouMean } from "../spec/nearest.ts";
import { UsageError } from "../spec/usage-error.ts";

/**
 * Checks that each option has its value.
 * @throws UsageError for `--only --strict`, which commander reads as a value
 */
export function refuseMissingValues(program: Command, argv: readonly string[]): void {
  const command = program.commands.find((command) => command.name() === argv[0]);
  const optionOf = (word: string) =>
    command?.options.find(({ long, short }) => word === long || word === short);
  for (let index = 1; index < argv.length && argv[index] !== "--"; index++) {
    const flag = argv[index] ?? "";
    const value = argv[index + 1];
    if (!optionOf(flag)?.required || value === undefined) continue;
    if (value === "--" || optionOf(value.replace(/=.*$/s, "")))
      throw new UsageError(`${flag} is given without a value: ${value} follows`);
    index++;
  }
}

/** Describes the mistake in the arguments, and suggests the words that were probably meant. */
export function explain(error: CommanderError, program: Command, argv: readonly string[]): string {
  const sentence = error.message.replace(/^error: /, "").trim();
  const [, word = ""] = /'([^']*)'/.exec(sentence) ?? [];
  const command = program.commands.find((command) => command.name() === argv[0]) ?? program;
  if (error.code === "commander.unknownOption") {
    const [flag = word] = word.split("=");
    const known = command.createHelp().visibleOptions(command);
    if (known.some(({ long }) => long === flag)) return `${flag} takes no value: leave out what follows it`;
    return `unknown option ${flag}${didYouMean(
      flag,
      known.flatMap((option) => option.long ?? []),
    )}`;
  }
  if (error.code === "commander.unknownCommand") {
    return `unknown command ${word}${didYouMean(
      word,
      program.commands.map((command) => command.name()),
    )}`;
  }
  return sentence;
}
