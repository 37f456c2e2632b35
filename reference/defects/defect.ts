import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

/** A way in which a service breaks the specification, at the given operations and nowhere else. */
export interface Defect {
  /**
   * Unique: `operator@place`, with `:condition` if it occurs only in some cases; kebab case without an
   * operator.
   */
  readonly name: string;
  readonly does: string;
  /** The broken requirements. The proof counts a finding on any of them. */
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** A function makes new hooks for each service, because they keep state. */
  readonly hooks: Hooks | (() => Hooks);
  /** The reason if no test can distinguish the defect from a conforming service. */
  readonly equivalent?: string;
}
