import { type Kind, patterns } from "./kinds.ts";

/** Words separated by commas; in the file also an array. */
export function list(argument: string): Kind<string[]> {
  const { fromText, split, ...kind } = patterns();
  return { ...kind, argument, split, fromText: (texts) => fromText(texts.flatMap((text) => split(text))) };
}
