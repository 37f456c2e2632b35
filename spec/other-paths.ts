import type { Operation, Spec } from "./model/spec.ts";

export function otherPaths(spec: Spec, { path }: Pick<Operation, "path">): string[] {
  const prefixes = new Set(Object.values(spec.pathReadings).map(({ prefix }) => prefix));
  return [...prefixes]
    .filter((prefix) => prefix !== "" && !path.startsWith(`${prefix}/`))
    .map((prefix) => `${prefix}${path}`);
}
