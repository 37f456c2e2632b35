import { type KeyFault, keyFaults } from "../../generators/keys.ts";
import { groupedBy } from "../../spec/grouped.ts";
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

/** Returns the faulty keys of each create by the requirement that they break. */
export function wrongKeyTargets(spec: Spec): WrongKeyTarget[] {
  return keyedCreates(spec).flatMap(({ operation }) => {
    const groups = groupedBy(keyFaults(spec, operation.idempotencyKey), (fault) => fault.requirement);
    return [...groups].flatMap(([requirement, [first, ...others]]): WrongKeyTarget[] =>
      first ? [{ operation, requirement, faults: [first, ...others] }] : [],
    );
  });
}
