import type { Variant } from "./variant.ts";

/** Every named conforming variant. */
export const variants: readonly Variant[] = [];
