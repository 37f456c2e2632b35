import { setFlagsFromString } from "node:v8";

export function tuneEngine(): void {
  // By default, the heap grows to several times the used memory.
  setFlagsFromString("--heap-growing-percent=40");
  // In a run, early optimization costs more than it saves (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
