import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /**
   * `operator@place`, or `operator@place:condition` if the defect occurs in some cases only. Without an
   * operator, a name in kebab case.
   */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** A function if the hooks keep state, so that each service has its own state. */
  readonly hooks: Hooks | (() => Hooks);
  /** Present if no request distinguishes the defect from a conforming service: the reason. */
  readonly equivalent?: string;
}
