import type { Hooks } from "../hooks.ts";
import type { ReferenceOptions } from "../options.ts";

/** A named way in which a service differs from the reference and still conforms. */
export interface Variant {
  /** Unique, in kebab case. */
  readonly name: string;
  readonly description: string;
  /** Options the service is started with, below those given by the caller. */
  readonly options?: Omit<ReferenceOptions, "variant" | "defects">;
  readonly hooks: Hooks | (() => Hooks);
}
