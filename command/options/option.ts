import type { Kind } from "./kinds.ts";

/** A row of the table of options. */
export interface Option<T> {
  kind: Kind<T>;
  /** Name of the flag, without dashes; the option's name in kebab case if left out. */
  flag?: string;
  help: string;
  /** Heading in the help. */
  group: "Target" | "Network" | "Selection" | "Judgement" | "Load" | "Output";
  default?: T;
  /** The default in words, if it is not one fixed value. */
  defaultText?: string;
  /** Never shown: not in a message, a report or a log. */
  secret?: true;
  /** A file or folder: a relative one in the configuration file belongs to that file's folder. */
  file?: true;
}

/** Infers the type of a row's values. */
export function option<T>(definition: Option<T>): Option<T> {
  return definition;
}
