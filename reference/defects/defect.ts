import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

/** A defect: the service breaks the specification at the given operations and nowhere else. */
export interface Defect {
  /** Unique: `operator@place`, with `:condition` if it occurs only in some cases; kebab case without an operator. */
  readonly name: string;
  /** A sentence about the behaviour. */
  readonly does: string;
  /** Ids of the broken requirements. A finding on any of them counts. */
  readonly requirements: readonly string[];
  /** The operations at fault. */
  readonly operations: Where;
  /** The overrides that cause it; a function if they keep state, called once for each service. */
  readonly hooks: Hooks | (() => Hooks);
  /** Why no test can distinguish it from a conforming service, if that is so. */
  readonly equivalent?: string;
}
