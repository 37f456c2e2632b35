import { type OptionName, optionOf } from "./options.ts";

export const ENVIRONMENT_PREFIX = "PAYMENTS_CONFORMANCE_";

export function flagOf(name: OptionName): string {
  return `--${optionOf(name).flag ?? kebab(name)}`;
}

/** Returns `PAYMENTS_CONFORMANCE_SECOND_SPACE` for secondSpace. */
export function variableOf(name: OptionName): string {
  return `${ENVIRONMENT_PREFIX}${flagOf(name).slice(2).replaceAll("-", "_").toUpperCase()}`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
