import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /**
   * `operator@place`, or `operator@place:condition` if it occurs in some cases only. Without an operator:
   * kebab case.
   */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** A function, if the hooks keep state: each service has its own. */
  readonly hooks: Hooks | (() => Hooks);
  /** The reason if no request distinguishes it from a conforming service. */
  readonly equivalent?: string;
}
