import type { KeyFault } from "../../generators/keys.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

export type KeyedCreate = Operation & { idempotencyKey: Parameter };

export interface KeyTarget extends RuleTarget {
  operation: KeyedCreate;
}

export function keyedCreates({ operations }: Pick<Spec, "operations">): KeyTarget[] {
  return operations
    .filter(
      (operation): operation is KeyedCreate =>
        operation.kind === "create" && operation.body !== undefined && operation.idempotencyKey !== undefined,
    )
    .map((operation) => ({ operation }));
}

export interface WrongKeyTarget extends KeyTarget {
  requirement: string;
  faults: [KeyFault, ...KeyFault[]];
}
