import { listVariants } from "./lists.ts";
import { responseVariants } from "./responses.ts";
import type { Variant } from "./variant.ts";
import { writeVariants } from "./writes.ts";

/** Every named conforming variant. */
export const variants: readonly Variant[] = [...responseVariants, ...listVariants, ...writeVariants];
