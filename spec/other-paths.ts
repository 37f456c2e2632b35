import type { Operation, Spec } from "./model/spec.ts";

/** Returns the paths under other readings of the specification, such as `/v1/banks`. */
export function otherPaths(spec: Spec, { path }: Pick<Operation, "path">): string[] {
  const prefixes = new Set(Object.values(spec.pathReadings).map(({ prefix }) => prefix));
  return [...prefixes]
    .filter((prefix) => prefix !== "" && !path.startsWith(`${prefix}/`))
    .map((prefix) => `${prefix}${path}`);
}
