import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /** `operator@place`, or `operator@place:condition`. */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** Hooks that keep state come from a function, called for each service. */
  readonly hooks: Hooks | (() => Hooks);
  /** The reason why no request shows the defect. */
  readonly equivalent?: string;
}
