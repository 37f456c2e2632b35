import type { Hooks } from "../hooks.ts";
import type { ReferenceOptions } from "../options.ts";

/** Values for `--fixture`. `payout` is an id. */
export type Fixtures = Readonly<Record<string, string>>;

export interface Variant {
  readonly name: string;
  readonly description: string;
  /** The section of the specification, or sentence of docs/reading.md, that allows it. */
  readonly why: string;
  readonly warns?: readonly string[];
  readonly options?: Omit<ReferenceOptions, "variant" | "defects">;
  readonly fixtures?: (fixtures: Fixtures) => Fixtures;
  readonly hooks: Hooks | (() => Hooks);
}
