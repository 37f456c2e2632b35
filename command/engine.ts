import { setFlagsFromString } from "node:v8";

/**
 * Sets flags of the engine for this command. Must be called first: the flags affect only code that is loaded
 * later.
 */
export function tuneEngine(command: string | undefined): void {
  // By default, the heap grows to several times the used memory, and `judge` reads files of any size.
  if (command === "judge") setFlagsFromString("--heap-growing-percent=40");
  // In a run, early optimization costs more than it saves (docs/cost.md).
  setFlagsFromString("--interrupt-budget=1000000");
}
