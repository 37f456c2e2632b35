/** The two readings of section 9: the path of an operation with and without the prefix. One of them is under test. */

import type { Operation, Spec } from "../spec/model/spec.ts";
import { targetPath } from "./sending/wire.ts";
import type { Target } from "./target.ts";

/** The other possible paths of an operation; none if all readings agree. */
export function otherPaths(spec: Spec, { path }: Operation): string[] {
  const prefixes = new Set(Object.values(spec.pathReadings).map(({ prefix }) => prefix));
  return [...prefixes]
    .filter((prefix) => prefix !== "" && !path.startsWith(`${prefix}/`))
    .map((prefix) => `${prefix}${path}`);
}

/** The path under the reading that is not under test: `other`, or the documented one. */
export function pathNotUnderTest(target: Target, operation: Operation, other: string): string {
  return targetPath(operation.path, target.settings.paths, target.spec) === other ? operation.path : other;
}
