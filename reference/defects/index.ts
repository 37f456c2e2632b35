import type { Defect } from "./defect.ts";

/** Every named defect. */
export const defects: readonly Defect[] = [];
