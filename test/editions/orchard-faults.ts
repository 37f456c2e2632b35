import type { Fault } from "./faults.ts";
import type { Departure } from "./serving.ts";
export const FAULTS: readonly Fault[] = [];
export const HABITS: readonly Departure[] = [];
