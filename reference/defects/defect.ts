import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

/** A named way in which a service breaks the specification; it breaks it at its operations and nowhere else. */
export interface Defect {
  /** Unique: `operator@place`, with `:condition` where it holds in some cases only; kebab case where no operator made it. */
  readonly name: string;
  /** What the service does there, as a sentence. */
  readonly does: string;
  /** Ids of the requirements that are broken; a finding on any of them finds it. Level and row come from the catalogue. */
  readonly requirements: readonly string[];
  /** The operations at fault. */
  readonly operations: Where;
  /** The overrides that make it; a function when they keep state, called once for each service. */
  readonly hooks: Hooks | (() => Hooks);
  /** Why it can't be told from a service that keeps the specification, where that is so. */
  readonly equivalent?: string;
}
