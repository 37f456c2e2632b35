import type { Spec } from "./model/spec.ts";

/** Returns all names that `--fixture` may have in this edition. */
export function fixtureNames(spec: Spec): Set<string> {
  const names = new Set<string | undefined>();
  for (const { parameters } of spec.operations) {
    for (const { fixture, valuesFrom } of parameters)
      names.add(fixture?.read).add(fixture?.write).add(valuesFrom?.fixture);
  }
  for (const schema of spec.schemas.all())
    names.add(schema["x-values-from"]?.fixture).add(schema["x-consumes"]?.fixture);
  names.delete(undefined);
  return names as Set<string>;
}
