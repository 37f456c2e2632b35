import type { Probe } from "../../client/target.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** Runs the checks that send requests to be rejected. */
export function rejectedCalls(operation: Operation, sources: readonly CheckFacts[]): Probe {
  return {
    id: `rejected calls ${operation.id}`,
    stage: "finish",
    run: async (target) => void (await Promise.all(sources.map((source) => target.observedBy(source)))),
  };
}
