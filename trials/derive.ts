/** Shorthand for deriving checks: one check per operation, requirement, version and whatever else tells them apart. */

import type { Check, Stage } from "../client/check.ts";
import type { Target } from "../client/target.ts";
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

/** The operations of some kinds. */
export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}
