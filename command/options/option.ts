import type { Kind } from "./kinds.ts";

export interface Option<T> {
  kind: Kind<T>;
  /** The flag without `--`. By default, the name of the option in kebab case. */
  flag?: string;
  help: string;
  group: "Target" | "Network" | "Selection" | "Judgement" | "Load" | "Output";
  default?: T;
  defaultText?: string;
  secret?: true;
  /** True if the value is a file name. In the configuration file, it is relative to the folder of that file. */
  file?: true;
}

export function option<T>(definition: Option<T>): Option<T> {
  return definition;
}
