import type { Kind } from "./kinds.ts";

export interface Option<T> {
  kind: Kind<T>;
  /** The flag without dashes; by default, the option's name in kebab case. */
  flag?: string;
  help: string;
  group: "Target" | "Network" | "Selection" | "Judgement" | "Load" | "Output";
  default?: T;
  /** The default in words, if it is not one fixed value. */
  defaultText?: string;
  /** The value is never shown: not in a message, a report or a log. */
  secret?: true;
  /** The value is a file or folder, resolved against the configuration file's folder. */
  file?: true;
}

export function option<T>(definition: Option<T>): Option<T> {
  return definition;
}
