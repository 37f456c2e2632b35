import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../spec/usage-error.ts";
import { inCi } from "../ci.ts";
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

/** Flags override the environment, then the file, then defaults. */
export interface Sources {
  flags: Partial<Record<OptionName, string[] | string | boolean>>;
  environment: NodeJS.ProcessEnv;
  /** Relative names start here, except those of the configuration file. */
  cwd: string;
  config?: string;
  /** Values of an earlier run. Only flags override them. */
  recorded?: ReadonlyMap<OptionName, unknown>;
  settled?: ReadonlySet<OptionName>;
  sendsNothing?: boolean;
}

/** @throws UsageError if an option is wrong or missing */
export function resolveValues(sources: Sources): OptionValues {
  const { environment, cwd, recorded = new Map<OptionName, unknown>(), settled = new Set() } = sources;
  const named = sources.config ?? environment[OTHER_VARIABLES.config];
  const hasVariable = (name: OptionName) => environment[variableOf(name)] !== undefined;
  const overridden = (name: OptionName, fixture?: string) => {
    if (settled.has(name)) return true;
    // Fixtures are merged by name, so one source may override some of them.
    if (name === "fixtures") return fixtureTexts(sources).some((text) => text.startsWith(`${fixture}=`));
    return sources.flags[name] !== undefined || recorded.has(name) || hasVariable(name);
  };
  const file = resolve(cwd, named ?? DEFAULT_CONFIG_FILE);
  const fromFile =
    named === undefined && !existsSync(file)
      ? new Map<OptionName, unknown>()
      : readConfigFile(
          file,
          environment,
          sources.flags.spec !== undefined || hasVariable("spec"),
          overridden,
        );
  // The edition defines the names of fixtures, so it must be known first.
  const edition = sources.flags.spec !== undefined || [recorded, fromFile].some((each) => each.has("spec"));
  const fromEnvironment = readEnvironment(environment, edition || hasVariable("spec"));
  const fromFlags = readFlags(sources.flags, edition || hasVariable("spec"));
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const name of OPTION_NAMES) {
    const others = settled.has(name) ? [] : [fromEnvironment, fromFile];
    const given = [fromFlags, recorded, ...others].filter((source) => source.has(name));
    const option = optionOf(name);
    let value = given.length > 0 ? given[0]?.get(name) : option.default;
    if (name === "fixtures") value = Object.assign({}, ...given.map((source) => source.get(name)).reverse());
    if (option.file && typeof value === "string") value = resolve(cwd, value);
    if (value !== undefined) values[name] = value;
  }
  const checked = values as OptionValues;
  checkTogether(checked, sources.sendsNothing ? [] : targetMistakes(checked, environment));
  return checked;
}

function fixtureTexts({ flags, environment }: Sources): string[] {
  const variable = environment[variableOf("fixtures")];
  const given = Array.isArray(flags.fixtures) ? flags.fixtures : [];
  return [...given, ...(variable === undefined ? [] : OPTIONS.fixtures.kind.split(variable))];
}

function readFlags(flags: Sources["flags"], edition: boolean): Map<OptionName, unknown> {
  const values = new Map<OptionName, unknown>();
  for (const name of OPTION_NAMES) {
    const given = flags[name];
    if (given === undefined) continue;
    const texts = Array.isArray(given) ? given : [String(given)];
    try {
      values.set(name, optionOf(name).kind.fromText(texts, edition));
    } catch (error) {
      if (error instanceof BadValue) throw new UsageError(`${flagOf(name)} ${error.message}`);
      throw error;
    }
  }
  return values;
}

export const SPACE_NEEDED = "the service asks for it on its calls";

function targetMistakes(values: OptionValues, environment: NodeJS.ProcessEnv): string[] {
  const lacking: string[] = [];
  if (values.baseUrl === undefined) {
    // A missing address (an unset CI variable) must not lead to a successful run against the reference
    // service.
    const given = (["token", "space", "secondSpace", "secondToken"] as const).filter(
      (name) => values[name] !== undefined,
    );
    if (given.length > 0) {
      const names = given.map((name) => flagOf(name)).join(", ");
      const places = given.map((name) => `${variableOf(name)}, ${name} in ${DEFAULT_CONFIG_FILE}`).join("; ");
      lacking.push(
        `${names} ${given.length === 1 ? "is" : "are"} given without --base-url: there is no service to use ${given.length === 1 ? "it" : "them"} on; give the address (${variableOf("baseUrl")}), or take ${given.length === 1 ? "it" : "them"} away (flag, ${places}) to run against the embedded reference service`,
      );
    } else if (!values.embedded && inCi(environment))
      lacking.push(
        `CI is set and there is no --base-url (${variableOf("baseUrl")}): give the address of the service, or --embedded to run against the embedded reference service`,
      );
  } else {
    if (values.embedded)
      lacking.push(
        `--embedded and --base-url (${variableOf("baseUrl")}) are both given: there can be only one target`,
      );
    // An edition may have no spaces, so a later check asks for the space.
    const asked: OptionName[] = values.spec === undefined ? ["token", "space"] : ["token"];
    const missing = asked.filter((name) => values[name] === undefined);
    if (missing.length > 0) {
      const names = missing.map((name) => `${flagOf(name)} (${variableOf(name)})`).join(" and ");
      const why = missing.length === 1 ? SPACE_NEEDED : SPACE_NEEDED.replace("it", "them");
      lacking.push(`--base-url is given without ${names}: ${why}`);
    }
  }
  return lacking;
}

function checkTogether(values: OptionValues, lacking: string[]): void {
  const needs = (name: OptionName, other: OptionName, why: string) => {
    if (values[name] === undefined || values[other] !== undefined) return;
    lacking.push(`${flagOf(name)} is given without ${flagOf(other)} (${variableOf(other)}): ${why}`);
  };
  needs("secondToken", "secondSpace", "there is nothing to use it for");
  needs("callbackPort", "callbackUrl", "the service would not know where to deliver");
  if (values.callbackUrl !== undefined && values.callbackPort === undefined) {
    const { port } = new URL(values.callbackUrl);
    if (port === "")
      lacking.push("--callback-url is given without --callback-port: which local port is behind it?");
    else values.callbackPort = Number(port);
  }
  if (values.secondSpace !== undefined && values.secondSpace === values.space)
    lacking.push("--second-space must be another space than --space");
  if (values.readOnly && values.postNamedOnly)
    lacking.push("--read-only and --post-named-only contradict each other");
  if (lacking.length > 0) throw new UsageError(lacking.join("; and "));
}
