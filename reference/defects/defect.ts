import type { Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";

export interface Defect {
  /** `operator@place`, or `operator@place:condition` if the defect occurs in some cases only. */
  readonly name: string;
  readonly does: string;
  readonly requirements: readonly string[];
  readonly operations: Where;
  /** Each service needs its own hooks if these keep state. */
  readonly hooks: Hooks | (() => Hooks);
  /** The reason why no request distinguishes the defect from a conforming service. */
  readonly equivalent?: string;
}
