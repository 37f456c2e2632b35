import type { Hooks } from "../hooks.ts";
import type { OperationName } from "../operations.ts";

/** A named way in which a service breaks the specification. */
export interface LegacyDefect {
  /** Unique, in kebab case. */
  readonly name: string;
  readonly description: string;
  /** Id of the requirement that is broken. */
  readonly requirement: string;
  /** Ids of requirements that cannot but break with it. */
  readonly alsoBreaks?: readonly string[];
  /** Row of the interpretation that the requirement comes from. */
  readonly row: number;
  readonly level: "MUST" | "SHOULD";
  /** The operations at fault. */
  readonly operations: readonly OperationName[];
  /** The overrides that make it; a function when they keep state, called once for each service. */
  readonly hooks: Hooks | (() => Hooks);
}
