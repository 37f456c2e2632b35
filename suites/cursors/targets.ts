import type { Probe } from "../../client/target.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { operationsOf } from "../shared/suite.ts";
import { pagesAfterUpdates } from "../updates/pages-after-updates.ts";

export interface Followable extends RuleTarget {
  afterUpdates: Probe[];
}

export function followableLists(spec: Spec): Followable[] {
  return operationsOf(spec, "list").flatMap((operation) =>
    operation.list?.after ? [{ operation, afterUpdates: pagesAfterUpdates(spec, operation) }] : [],
  );
}

/** Returns the lists with a cursor and a page size. */
export function sizedFollowableLists(spec: Spec): Followable[] {
  return followableLists(spec).filter(({ operation }) => operation.list?.limit !== undefined);
}
