import { Untestable } from "../../client/check.ts";
import type { Probe } from "../../client/target.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** Runs checks whose requests must be rejected. `what` names these requests. */
export function rejectedCalls(operation: Operation, what: string, sources: readonly CheckFacts[]): Probe {
  return {
    id: `rejected calls ${operation.id} ${what}`,
    stage: "finish",
    async run(target) {
      const told = await Promise.all(sources.map((source) => target.observedBy(source)));
      const [first] = told.map(({ result }) => result);
      if (first && told.every(({ result }) => result.outcome === "skip"))
        throw new Untestable(first.reason ?? "no-data", first.message ?? first.title, first.evidence);
    },
  };
}
