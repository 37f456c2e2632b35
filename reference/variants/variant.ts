import type { Hooks } from "../hooks.ts";
import type { ReferenceOptions } from "../options.ts";

/** Resources for a run, by the names of the `--fixture` option. */
export type Fixtures = Readonly<Record<string, string>>;

/** A way in which a service differs from the reference service and still conforms. */
export interface Variant {
  readonly name: string;
  readonly description: string;
  /**
   * The reason why it conforms, with the section of the specification or the sentence of the interpretation.
   */
  readonly why: string;
  readonly warns?: readonly string[];
  /** Options of the service. Those of the caller take precedence. */
  readonly options?: Omit<ReferenceOptions, "variant" | "defects">;
  readonly fixtures?: (fixtures: Fixtures) => Fixtures;
  readonly hooks: Hooks | (() => Hooks);
}
