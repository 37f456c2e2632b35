import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../spec/usage-error.ts";
import { inCi } from "../setup/ci.ts";
import { BadValue } from "./kinds.ts";
import { flagOf, variableOf } from "./names.ts";
import {
  DEFAULT_CONFIG_FILE,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  type OptionValues,
  optionOf,
} from "./options.ts";
import { readConfigFile } from "./read-config.ts";
import { OTHER_VARIABLES, readEnvironment } from "./read-environment.ts";

/** The first source wins: flags, environment variables, configuration file, defaults. */
export interface Sources {
  flags: Partial<Record<OptionName, string[] | string | boolean>>;
  environment: NodeJS.ProcessEnv;
  /** The base of relative file names, except in the configuration file. */
  cwd: string;
  config?: string;
  /** Options of an earlier report. Only flags override them. */
  recorded?: ReadonlyMap<OptionName, unknown>;
  /** Names of options that only flags can set. */
  settled?: ReadonlySet<OptionName>;
  sendsNothing?: boolean;
}

type Given = ReadonlyMap<OptionName, unknown>;

/**
 * Returns the values of all options. A flag beats a variable, and a variable beats the file.
 * @throws UsageError with all mistakes.
 */
export function resolveValues(sources: Sources): OptionValues {
  const { flags, environment, cwd, recorded = new Map() } = sources;
  const fromFile = valuesOfFile(sources);
  // An edition may define other fixtures.
  const hasEdition = isGiven("spec", sources) || recorded.has("spec") || fromFile.has("spec");
  const fromEnvironment = readEnvironment(environment, hasEdition);
  const fromFlags = readFlags(flags, hasEdition);
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const name of OPTION_NAMES) {
    const others = isSettled(name, sources) ? [] : [fromEnvironment, fromFile];
    const value = firstValue(name, [fromFlags, recorded, ...others]);
    if (value === undefined) continue;
    values[name] = optionOf(name).file && typeof value === "string" ? resolve(cwd, value) : value;
  }
  const checked = values as OptionValues;
  const port = callbackPortOf(checked);
  if (port !== undefined) checked.callbackPort = port;
  const mistakes = [
    ...(sources.sendsNothing ? [] : targetMistakes(checked, environment)),
    ...contradictionsIn(checked),
  ];
  if (mistakes.length > 0) throw new UsageError(mistakes.join("; and "));
  return checked;
}

/** Returns the values of the configuration file, which may be missing unless somebody named it. */
function valuesOfFile(sources: Sources): Given {
  const { environment, cwd } = sources;
  const named = sources.config ?? environment[OTHER_VARIABLES.config];
  const file = resolve(cwd, named ?? DEFAULT_CONFIG_FILE);
  if (named === undefined && !existsSync(file)) return new Map();
  return readConfigFile(file, environment, {
    hasEdition: isGiven("spec", sources),
    isOverridden: (name) => isOverridden(name, sources),
    isFixtureOverridden: (fixture) => isFixtureOverridden(fixture, sources),
  });
}

/**
 * Returns the value of the first source that gives the option, or its default. Fixtures are merged by name.
 */
function firstValue(name: OptionName, sources: readonly Given[]): unknown {
  const given = sources.filter((source) => source.has(name)).map((source) => source.get(name));
  if (name === "fixtures") return Object.assign({}, ...given.reverse());
  return given.length > 0 ? given[0] : optionOf(name).default;
}

function isGiven(name: OptionName, { flags, environment }: Sources): boolean {
  return flags[name] !== undefined || environment[variableOf(name)] !== undefined;
}

function isSettled(name: OptionName, { settled }: Sources): boolean {
  return settled?.has(name) === true;
}

function isOverridden(name: OptionName, sources: Sources): boolean {
  if (isSettled(name, sources)) return true;
  return name !== "fixtures" && (isGiven(name, sources) || sources.recorded?.has(name) === true);
}

function isFixtureOverridden(fixture: string, sources: Sources): boolean {
  const { flags, environment } = sources;
  const variable = environment[variableOf("fixtures")];
  const texts = [
    ...(Array.isArray(flags.fixtures) ? flags.fixtures : []),
    ...(variable === undefined ? [] : OPTIONS.fixtures.kind.split(variable)),
  ];
  return isSettled("fixtures", sources) || texts.some((text) => text.startsWith(`${fixture}=`));
}

/**
 * Returns the values of the flags.
 * @throws UsageError if one is not valid.
 */
function readFlags(flags: Sources["flags"], hasEdition: boolean): Given {
  const values = new Map<OptionName, unknown>();
  for (const name of OPTION_NAMES) {
    const given = flags[name];
    if (given === undefined) continue;
    const texts = Array.isArray(given) ? given : [String(given)];
    try {
      values.set(name, optionOf(name).kind.fromText(texts, hasEdition));
    } catch (error) {
      if (error instanceof BadValue) throw new UsageError(`${flagOf(name)} ${error.message}`);
      throw error;
    }
  }
  return values;
}

export const SPACE_NEEDED = "the service asks for it on its calls";

/** Returns the mistakes in the choice of a target. */
function targetMistakes(values: OptionValues, environment: NodeJS.ProcessEnv): string[] {
  if (values.baseUrl !== undefined) return mistakesWithAddress(values);
  // A CI job that forgot the address must not pass.
  const given = (["token", "space", "secondSpace", "secondToken"] as const).filter(
    (name) => values[name] !== undefined,
  );
  if (given.length > 0) return [uselessWithoutAddress(given)];
  if (values.embedded || !inCi(environment)) return [];
  return [
    `CI is set and there is no --base-url (${variableOf("baseUrl")}): give the address of the service, or --embedded to run against the embedded reference service`,
  ];
}

function uselessWithoutAddress(given: readonly OptionName[]): string {
  const names = given.map((name) => flagOf(name)).join(", ");
  const places = given.map((name) => `${variableOf(name)}, ${name} in ${DEFAULT_CONFIG_FILE}`).join("; ");
  const [be, them] = given.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names} ${be} given without --base-url: there is no service to use ${them} on; give the address (${variableOf("baseUrl")}), or take ${them} away (flag, ${places}) to run against the embedded reference service`;
}

/** Returns the mistakes in the settings that belong to the given address. */
function mistakesWithAddress(values: OptionValues): string[] {
  const mistakes: string[] = [];
  if (values.embedded)
    mistakes.push(
      `--embedded and --base-url (${variableOf("baseUrl")}) are both given: there can be only one target`,
    );
  // An edition may have no spaces, so checkAgainstSpec decides.
  const needed: OptionName[] = values.spec === undefined ? ["token", "space"] : ["token"];
  const missing = needed.filter((name) => values[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `${flagOf(name)} (${variableOf(name)})`).join(" and ");
    const why = missing.length === 1 ? SPACE_NEEDED : SPACE_NEEDED.replace("it", "them");
    mistakes.push(`--base-url is given without ${names}: ${why}`);
  }
  return mistakes;
}

function callbackPortOf({ callbackUrl, callbackPort }: OptionValues): number | undefined {
  if (callbackPort !== undefined || callbackUrl === undefined) return callbackPort;
  const { port } = new URL(callbackUrl);
  return port === "" ? undefined : Number(port);
}

/** Returns the options that need or exclude others. */
function contradictionsIn(values: OptionValues): string[] {
  const mistakes: string[] = [];
  const needs = (name: OptionName, other: OptionName, why: string) => {
    if (values[name] === undefined || values[other] !== undefined) return;
    mistakes.push(`${flagOf(name)} is given without ${flagOf(other)} (${variableOf(other)}): ${why}`);
  };
  needs("secondToken", "secondSpace", "there is nothing to use it for");
  needs("callbackPort", "callbackUrl", "the service would not know where to deliver");
  if (values.callbackUrl !== undefined && values.callbackPort === undefined)
    mistakes.push("--callback-url is given without --callback-port: which local port is behind it?");
  if (values.secondSpace !== undefined && values.secondSpace === values.space)
    mistakes.push("--second-space must be another space than --space");
  if (values.readOnly && values.postNamedOnly)
    mistakes.push("--read-only and --post-named-only contradict each other");
  return mistakes;
}
