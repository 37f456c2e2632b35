import type { Kind } from "./kinds.ts";

export interface Option<T> {
  kind: Kind<T>;
  /** Without `--`. By default the name in kebab case. */
  flag?: string;
  help: string;
  group: "Target" | "Network" | "Selection" | "Judgement" | "Load" | "Output";
  default?: T;
  defaultText?: string;
  secret?: true;
  /** In the configuration file, names are relative to its folder. */
  file?: true;
}

export function option<T>(definition: Option<T>): Option<T> {
  return definition;
}
