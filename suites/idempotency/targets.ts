import type { Probe } from "../../client/target.ts";
import { type KeyFault, keyFaults } from "../../generators/keys.ts";
import { isAction } from "../../spec/actions.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { replaysOf } from "../updates/probes.ts";
import { keyWalkOf } from "./key-walk.ts";

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

export interface WalkTarget extends KeyTarget {
  walks: Probe[];
}

/** Returns the keyed creates with the walks that send them again. */
export function walkedCreates(spec: Spec): WalkTarget[] {
  return keyedCreates(spec).map(({ operation }) => {
    const walks = replaysOf(spec, operation);
    const hasOwn = walks.length === 0 && !isAction(spec, operation);
    return { operation, walks: hasOwn ? [keyWalkOf(operation)] : walks };
  });
}
