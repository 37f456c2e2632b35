import { dirname, resolve } from "node:path";
import { isObject } from "../../spec/json.ts";
import { readYaml } from "../../spec/loading/read-file.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { BadValue } from "./kinds.ts";
import { OPTION_NAMES, type OptionName, optionOf } from "./options.ts";

interface Reading {
  /** True if `--spec` names another edition, which may have other fixtures. */
  hasEdition: boolean;
  isOverridden(name: OptionName): boolean;
  isFixtureOverridden(fixture: string): boolean;
}

/**
 * Returns the options in the configuration file. A variable `${NAME}` may be unset if another source gives the
 * option.
 */
export function readConfigFile(
  file: string,
  environment: NodeJS.ProcessEnv,
  { hasEdition, isOverridden, isFixtureOverridden }: Reading = {
    hasEdition: false,
    isOverridden: () => false,
    isFixtureOverridden: () => false,
  },
): Map<OptionName, unknown> {
  const source = readYaml(file, "configuration file");
  const values = new Map<OptionName, unknown>();
  if (source.value === null || source.value === undefined) return values;
  const complaint = (message: string, key?: string) =>
    new UsageError(source.error(key === undefined ? [] : [key], message).message);
  if (!isObject(source.value)) throw complaint("a configuration file is a map of options to values");
  for (const [key, raw] of Object.entries(source.value)) {
    const name = OPTION_NAMES.find((known) => known === key);
    if (name === undefined)
      throw complaint(`there is no option named ${key}${didYouMean(key, OPTION_NAMES)}`, key);
    if (raw === null) throw complaint(`${key} is empty; leave it out or give it a value`, key);
    const { kind, file: isFile } = optionOf(name);
    try {
      const needed = name === "fixtures" ? withoutNames(raw, isFixtureOverridden) : raw;
      const filled = withVariables(needed, environment, name === "fixtureCommand");
      const value = kind.fromFile(filled, hasEdition || "spec" in source.value);
      values.set(name, isFile && typeof value === "string" ? resolve(dirname(file), value) : value);
    } catch (error) {
      if (error instanceof UnsetVariable && isOverridden(name)) continue;
      if (error instanceof BadValue) throw complaint(`${key} ${error.message}`, key);
      throw error;
    }
  }
  return values;
}

class UnsetVariable extends BadValue {}

function withoutNames(value: unknown, dropped: (name: string) => boolean): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped(name)));
}

/**
 * Returns the value with `${NAME}` replaced by variables of the environment. In a command for a shell, only a
 * whole value is a variable: the shell reads the others.
 */
function withVariables(value: unknown, environment: NodeJS.ProcessEnv, isCommand = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withVariables(each, environment));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, withVariables(each, environment)]),
    );
  }
  if (typeof value !== "string") return value;
  return value.replace(isCommand ? WHOLE_VARIABLE : VARIABLE, (_, variable: string) => {
    const found = environment[variable];
    if (found === undefined || found === "") {
      throw new UnsetVariable(`refers to the environment variable ${variable}, which is not set`);
    }
    return found;
  });
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const WHOLE_VARIABLE = new RegExp(`^${VARIABLE.source}$`);
