import { setFlagsFromString } from "node:v8";

export function tuneEngine(): void {
  // By default, garbage may grow to a multiple of the used memory.
  setFlagsFromString("--heap-growing-percent=40");
  // V8's early optimization costs more than it saves in a run (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
