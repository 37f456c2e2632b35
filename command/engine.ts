/** Tunes Node's engine for a process that ends after seconds and may have little memory. */

import { setFlagsFromString } from "node:v8";

export function tuneEngine(): void {
  // By default, garbage may grow to a multiple of the used memory, which a CI job may lack.
  setFlagsFromString("--heap-growing-percent=40");
  // By default, frequent code is optimized early, which costs more than it saves in a run (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
