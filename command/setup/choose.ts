import { UsageError } from "../../spec/usage-error.ts";
import { BadValue, choice, integer } from "../options/kinds.ts";

/**
 * Returns the given value, or the first one by default.
 * @throws UsageError for an unknown value
 */
export function choose<const T extends string>(
  flag: string,
  given: unknown,
  values: readonly [T, ...T[]],
): T {
  return given === undefined ? values[0] : withFlagName(flag, () => choice(values).fromText([String(given)]));
}

export function wholeNumber(flag: string, given: unknown, min: number, max: number): number | undefined {
  return given === undefined
    ? undefined
    : withFlagName(flag, () => integer(min, max).fromText([String(given)]));
}

function withFlagName<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadValue) throw new UsageError(`${flag} ${error.message}`);
    throw error;
  }
}
