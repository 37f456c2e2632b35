import { type Kind, patterns } from "./kinds.ts";

export function list(argument: string): Kind<string[]> {
  const { fromText, split, ...kind } = patterns();
  return { ...kind, argument, split, fromText: (texts) => fromText(texts.flatMap((text) => split(text))) };
}
