import type { Hooks } from "../hooks.ts";
import type { ReferenceOptions } from "../options.ts";

/** Things a run may be pointed at, by the names of the `--fixture` option. */
export type Fixtures = Readonly<Record<string, string>>;

/** A named way in which a service differs from the reference and still conforms. */
export interface Variant {
  /** Unique, in kebab case. */
  readonly name: string;
  readonly description: string;
  /** Why it conforms, naming the section of the specification or the row of the reading. */
  readonly why: string;
  /** Ids of the SHOULD requirements at which it does otherwise. */
  readonly warns?: readonly string[];
  /** Options the service is started with, below those given by the caller. */
  readonly options?: Omit<ReferenceOptions, "variant" | "defects">;
  /** The fixtures, where they are others than those of the usual data. */
  readonly fixtures?: (fixtures: Fixtures) => Fixtures;
  readonly hooks: Hooks | (() => Hooks);
}
