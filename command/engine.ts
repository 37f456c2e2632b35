/** Settings of the engine for a process that ends after seconds and may have little memory. */

import { setFlagsFromString } from "node:v8";

export function tuneEngine(): void {
  // By default Node lets garbage grow to a multiple of the memory in use, and a CI job may have little memory.
  setFlagsFromString("--heap-growing-percent=40");
  // By default V8 soon optimizes what runs often. In a run that costs more than it saves (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
