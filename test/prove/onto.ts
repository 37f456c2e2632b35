/** A proof of a part, put into an earlier proof of the whole. */

import type { Proof } from "./prove.ts";

/** The earlier proof, with what was proved anew in the place of what it said, and with what it did not have. */
export function onto(earlier: Proof, later: Proof): Proof {
  const defects = byName(earlier.defects, later.defects);
  return {
    defects,
    variants: byName(earlier.variants, later.variants),
    nullServices: byName(earlier.nullServices, later.nullServices),
    stability: byName(earlier.stability, later.stability),
    sound: later.sound.runs > 0 ? later.sound : earlier.sound,
    detecting: [...new Set(defects.flatMap(({ checks }) => checks))].sort(),
  };
}

/** How many subjects a proof is about. */
export function subjects({ defects, variants, nullServices }: Proof): number {
  return defects.length + variants.length + nullServices.length;
}

function byName<T extends { name: string }>(earlier: readonly T[], later: readonly T[]): T[] {
  const names = new Set(later.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !names.has(name)), ...later];
}
