import type { Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

export function followableLists(spec: Spec): RuleTarget[] {
  return operationsOf(spec, "list")
    .filter(({ list }) => list?.after)
    .map((operation) => ({ operation }));
}

/** Returns the lists with a cursor and a page size. */
export function sizedFollowableLists(spec: Spec): RuleTarget[] {
  return followableLists(spec).filter(({ operation }) => operation.list?.limit !== undefined);
}
