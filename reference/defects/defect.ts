import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

/** A defect: the service breaks the specification at the given operations and nowhere else. */
export interface Defect {
  /**
   * `operator@place`, with `:condition` if it occurs only in some cases; kebab case without an operator.
   * Unique.
   */
  readonly name: string;
  readonly does: string;
  /** Ids of the broken requirements. The proof counts a finding on any of them. */
  readonly requirements: readonly string[];
  /** The operations that behave wrongly. */
  readonly operations: Where;
  /**
   * The hooks that cause the defect. A function makes new hooks for each service, because they keep state.
   */
  readonly hooks: Hooks | (() => Hooks);
  /** If no test can distinguish the defect from a conforming service: why. */
  readonly equivalent?: string;
}
