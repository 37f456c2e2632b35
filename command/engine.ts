import { setFlagsFromString } from "node:v8";

export function tuneEngine(): void {
  // Collect garbage once the heap has grown by 40 %. By default, it may grow to a multiple of the used memory.
  setFlagsFromString("--heap-growing-percent=40");
  // Optimize code later: in a run, the early optimization of V8 costs more than it saves (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
