import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /** `operator@place`, or `operator@place:condition` if the defect occurs in some cases only. */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** A function if the hooks keep state. It is called once for each service. */
  readonly hooks: Hooks | (() => Hooks);
  /** Why no request distinguishes the defect from a conforming service. */
  readonly equivalent?: string;
}
