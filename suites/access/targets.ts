import type { Spec } from "../../spec/model/spec.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

/** Operations that need a token. */
export function closed({ operations }: Spec): RuleTarget[] {
  return operations.filter(({ open }) => !open).map((operation) => ({ operation }));
}
