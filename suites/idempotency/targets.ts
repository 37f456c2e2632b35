import type { KeyFault } from "../../generators/keys.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { type RuleTarget, targetsAt } from "../shared/history-rule.ts";

export type KeyedCreate = Operation & { idempotencyKey: Parameter };

export interface KeyTarget extends RuleTarget {
  operation: KeyedCreate;
}

export function keyedCreates({ operations }: Pick<Spec, "operations">): KeyTarget[] {
  const keyed = operations.filter(
    (operation): operation is KeyedCreate =>
      operation.kind === "create" && operation.body !== undefined && operation.idempotencyKey !== undefined,
  );
  return targetsAt(keyed);
}

export interface WrongKeyTarget extends KeyTarget {
  requirement: string;
  faults: [KeyFault, ...KeyFault[]];
}
