/** Merges a later proof of some services into an earlier proof of all. */

import { defects as known } from "../../reference/index.ts";
import type { Proof } from "./prove.ts";

/** Returns the earlier proof with the results of the later one. Leaves out defects that no longer exist. */
export function onto(earlier: Proof, later: Proof): Proof {
  const names = new Set(known.map(({ name }) => name));
  const defects = byName(earlier.defects, later.defects).filter(({ name }) => names.has(name));
  return {
    defects,
    variants: byName(earlier.variants, later.variants),
    nullServices: byName(earlier.nullServices, later.nullServices),
    stability: byName(earlier.stability, later.stability),
    sound: later.sound.runs > 0 ? later.sound : earlier.sound,
    detecting: [...new Set(defects.flatMap(({ checks }) => checks))].sort(),
  };
}

/** The number of services that a proof has run on. */
export function subjects({ defects, variants, nullServices }: Proof): number {
  return defects.length + variants.length + nullServices.length;
}

function byName<T extends { name: string }>(earlier: readonly T[], later: readonly T[]): T[] {
  const names = new Set(later.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !names.has(name)), ...later];
}
