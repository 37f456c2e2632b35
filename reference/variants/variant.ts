import type { Hooks } from "../hooks.ts";
import type { ReferenceOptions } from "../options.ts";

/** Values for `--fixture`, by name. `payout` is the id of a payout. */
export type Fixtures = Readonly<Record<string, string>>;

export interface Variant {
  readonly name: string;
  readonly description: string;
  /** Why it conforms: a section of the specification, or a sentence of its interpretation. */
  readonly why: string;
  readonly warns?: readonly string[];
  readonly options?: Omit<ReferenceOptions, "variant" | "defects">;
  readonly fixtures?: (fixtures: Fixtures) => Fixtures;
  readonly hooks: Hooks | (() => Hooks);
}
