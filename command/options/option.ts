import type { Kind } from "./kinds.ts";

export interface Option<T> {
  kind: Kind<T>;
  /** The flag without `--`. The default is the name in kebab case. */
  flag?: string;
  help: string;
  group: "Target" | "Network" | "Selection" | "Judgement" | "Load" | "Output";
  default?: T;
  defaultText?: string;
  secret?: true;
  /** True for a file name, relative to the folder of the configuration file there. */
  file?: true;
}

export function option<T>(definition: Option<T>): Option<T> {
  return definition;
}
