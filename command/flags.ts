import { type Command, Option } from "commander";
import { flagOf } from "./options/names.ts";
import {
  DEFAULT_CONFIG_FILE,
  OPTION_NAMES,
  type OptionName,
  type OptionValues,
  optionOf,
} from "./options/options.ts";
import { resolveValues, type Sources } from "./options/resolve.ts";

/** Flags by commander's names: `secondSpace` for `--second-space`. */
export type Flags = Record<string, unknown>;

/** A replay takes none of these options. */
export const SELECTING: readonly OptionName[] = ["only", "skip", "shard", "lastFailed", "within", "preset"];
export const REPLAY_OPTIONS = OPTION_NAMES.filter(
  (name) =>
    ![
      ...SELECTING,
      "strict",
      "requireComplete",
      "allowInconclusive",
      "waivers",
      "baseline",
      "labels",
      "reporter",
    ].includes(name),
);

export const JUDGE_OPTIONS: readonly OptionName[] = [
  "baseUrl",
  "space",
  "profile",
  "spec",
  "paths",
  "only",
  "skip",
  "strict",
  "allowInconclusive",
  "waivers",
  "visibilityDelay",
  "ca",
  "clientCert",
  "clientKey",
  "insecure",
  "out",
  "export",
  "showPersonalData",
  "labels",
  "reporter",
];

interface HelpOfCommand {
  /** Defaults that differ from those of `run`, in words. */
  defaults?: Partial<Record<OptionName, string>>;
  /** Options that the command refuses, with a reason. */
  refused?: readonly OptionName[];
}

export function addRunOptions(
  command: Command,
  names: readonly OptionName[] = OPTION_NAMES,
  { defaults = {}, refused = [] }: HelpOfCommand = {},
): Command {
  for (const name of names) {
    const { kind, help, group, default: value, defaultText } = optionOf(name);
    const text =
      defaults[name] ?? defaultText ?? (value === undefined || value === false ? undefined : String(value));
    const ends = text === undefined ? "" : ` (default: ${text})`;
    const argument = kind.argument === null ? "" : ` ${kind.argument}`;
    const option = new Option(`${flagOf(name)}${argument}`, `${help}${ends}`).helpGroup(`${group}:`);
    // Without this, commander reads --no-history as the opposite of --history.
    option.negate = false;
    option.hideHelp(refused.includes(name));
    if (kind.many) {
      option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
    }
    command.addOption(option);
  }
  return command.option(
    "--config <file>",
    `configuration file (default: ${DEFAULT_CONFIG_FILE}, if there is one)`,
  );
}

/**
 * Returns the values of all options from flags, variables and the configuration file.
 * @throws UsageError with all mistakes.
 */
export function valuesFrom(
  flags: Flags,
  earlier: Pick<Sources, "recorded" | "settled" | "sendsNothing"> = {},
): OptionValues {
  const texts: Sources["flags"] = {};
  for (const name of OPTION_NAMES) {
    if (isGiven(flags, name)) texts[name] = flags[attributeOf(name)] as string[] | string | boolean;
  }
  return resolveValues({
    ...earlier,
    flags: texts,
    environment: process.env,
    cwd: process.cwd(),
    ...(typeof flags.config === "string" ? { config: flags.config } : {}),
  });
}

export function isGiven(flags: Flags, name: OptionName): boolean {
  return flags[attributeOf(name)] !== undefined;
}

function attributeOf(name: OptionName): string {
  return flagOf(name)
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Takes the exit code of the command that ran. */
export type Done = (exitCode: number) => void;

/** Returns all values of a repeatable flag up to this one. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Ends the help of every command that takes the options of a run. */
export const MORE_HELP = `
Every option can also stand in payments-conformance.yaml (secondSpace: …) or in an environment variable
(PAYMENTS_CONFORMANCE_SECOND_SPACE); a flag beats the environment, which beats the file.

Exit codes: 0 conformant in scope, 1 something fails, 2 wrong use, 3 could not be judged or inconclusive
(--allow-inconclusive makes the latter 0), 130 interrupted.`;
