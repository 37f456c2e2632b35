/** The other reading of section 9: the path of an operation with or without the prefix, whichever is not under test. */

import type { Operation, Spec } from "../spec/model/spec.ts";
import { targetPath } from "./sending/wire.ts";
import type { Target } from "./target.ts";

/** The paths that other readings have for an operation than section 4 shows; where all agree there is none. */
export function otherPaths(spec: Spec, { path }: Operation): string[] {
  const prefixes = new Set(Object.values(spec.pathReadings).map(({ prefix }) => prefix));
  return [...prefixes]
    .filter((prefix) => prefix !== "" && !path.startsWith(`${prefix}/`))
    .map((prefix) => `${prefix}${path}`);
}

/** Where to send what is meant for the reading that is not under test: `other`, or the path that section 4 shows. */
export function pathNotUnderTest(target: Target, operation: Operation, other: string): string {
  return targetPath(operation.path, target.settings.paths, target.spec) === other ? operation.path : other;
}
