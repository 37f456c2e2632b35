import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /** `operator@place`, or `operator@place:condition`. */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** A function, called for each service, if the hooks keep state. */
  readonly hooks: Hooks | (() => Hooks);
  /** Why no request shows the defect. */
  readonly equivalent?: string;
}
