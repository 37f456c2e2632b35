/** Section 9 can be read in two ways: paths begin with `/v1`, or are as shown. */

import type { Operation, Spec } from "./model/spec.ts";

/** Returns what paths begin with under the readings that add something. */
export function pathPrefixes({ pathReadings }: Spec): string[] {
  const prefixes = new Set(Object.values(pathReadings).map(({ prefix }) => prefix));
  return [...prefixes].filter((prefix) => prefix !== "");
}

/** Returns the prefix of a reading that the documented path has, or an empty text. */
export function prefixOf(spec: Spec, path: string): string {
  return pathPrefixes(spec).find((prefix) => path.startsWith(`${prefix}/`)) ?? "";
}

/** Returns the path with the prefix of the chosen reading, such as `/v1`. */
export function targetPath(path: string, reading: string, { pathReadings }: Spec): string {
  const prefix = pathReadings[reading]?.prefix ?? "";
  return prefix !== "" && !path.startsWith(`${prefix}/`) ? `${prefix}${path}` : path;
}

/** Returns the paths under other readings of the specification, such as `/v1/banks`. */
export function otherPaths(spec: Spec, { path }: Pick<Operation, "path">): string[] {
  return pathPrefixes(spec)
    .filter((prefix) => !path.startsWith(`${prefix}/`))
    .map((prefix) => `${prefix}${path}`);
}
