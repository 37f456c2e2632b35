import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { BadValue } from "./kinds.ts";
import { ENVIRONMENT_PREFIX, variableOf } from "./names.ts";
import { OPTION_NAMES, type OptionName, optionOf } from "./options.ts";

export const OTHER_VARIABLES = {
  config: `${ENVIRONMENT_PREFIX}CONFIG`,
  debug: `${ENVIRONMENT_PREFIX}DEBUG`,
  key: `${ENVIRONMENT_PREFIX}KEY`,
} as const;

/**
 * Returns the options that variables give.
 * @throws UsageError for an unknown variable, probably misspelled
 */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  hasEdition = false,
): Map<OptionName, unknown> {
  const names = new Map(OPTION_NAMES.map((name) => [variableOf(name), name]));
  const others: string[] = Object.values(OTHER_VARIABLES);
  const values = new Map<OptionName, unknown>();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(ENVIRONMENT_PREFIX) || text === undefined || others.includes(variable)) continue;
    const name = names.get(variable);
    if (name === undefined) {
      throw new UsageError(
        `the environment variable ${variable} means nothing to this program${didYouMean(variable, [...names.keys(), ...others])}`,
      );
    }
    const { kind } = optionOf(name);
    try {
      values.set(name, kind.fromText(kind.many ? kind.split(text) : [text], hasEdition));
    } catch (error) {
      if (error instanceof BadValue) throw new UsageError(`${variable} ${error.message}`);
      throw error;
    }
  }
  return values;
}
