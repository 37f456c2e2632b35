/** Shorthand for deriving checks: one check per operation, requirement, version and whatever else tells them apart. */

import type { Check, Stage } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { versionsOf } from "../client/version-choice.ts";
import type { RejectionCause } from "../profiles/promises.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

export interface CheckSketch {
  suite: string;
  requirement: string;
  operation: Operation;
  title: string;
  /** Tells checks of the same requirement and operation apart, e.g. the constraint. */
  detail?: string;
  stage: Stage;
  writes?: boolean;
  cause?: RejectionCause;
  consumes?: boolean;
  run(target: Target): Promise<void>;
}

/** One check, whatever the version. */
export function check(sketch: CheckSketch): Check {
  const { suite, requirement, operation, detail } = sketch;
  return {
    id: [`${suite}/${requirement}`, operation.key, ...(detail === undefined ? [] : [detail])].join(" "),
    title: sketch.title,
    suite,
    requirements: [requirement],
    operation: operation.key,
    serviceVersion: null,
    versioned: false,
    stage: sketch.stage,
    writes: sketch.writes ?? false,
    ...(sketch.cause === undefined ? {} : { cause: sketch.cause }),
    ...(sketch.consumes === undefined ? {} : { consumes: sketch.consumes }),
    run: sketch.run,
  };
}

/** The same check under each version that the operation can be asked for, none included. */
export function perVersion(
  spec: Spec,
  sketch: Omit<CheckSketch, "run"> & { run(target: Target, version: string | null): Promise<void> },
): Check[] {
  const versions = versionsOf(spec, sketch.operation);
  const [only = null] = versions;
  if (versions.length === 1) return [check({ ...sketch, run: (target) => sketch.run(target, only) })];
  return versions.map((version) => {
    const single = check({ ...sketch, run: (target) => sketch.run(target, version) });
    return { ...single, id: `${single.id} @${version ?? "none"}`, serviceVersion: version, versioned: true };
  });
}

/** The operations of some kinds. */
export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}
