import type { Spec } from "../../spec/model/spec.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

/** Returns the operations that need a token. */
export function withToken({ operations }: Spec): RuleTarget[] {
  return operations.filter(({ open }) => !open).map((operation) => ({ operation }));
}
