import type { Target } from "../../client/target.ts";
import { sampleNumber } from "../../client/version-choice.ts";
import { SPACE_FAULTS, type SpaceFault } from "../../generators/wrong-spaces.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";

/** Returns the faults of the space header that depth quick sends: it omits one of the two prefix faults. */
export function spaceFaultsAtQuick({ settings }: Target, { key }: Operation, space: Parameter): SpaceFault[] {
  const faults = SPACE_FAULTS.filter(({ applies }) => applies(space));
  const numbered = faults.filter(({ number }) => number !== undefined);
  const omitted = 1 + (sampleNumber(settings.seed, `prefix ${key}`) % 2);
  return faults.filter((fault) => numbered.indexOf(fault) !== omitted);
}
