import { listsOf } from "../../history/lists/lists-of-creates.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { isAction, operationsWithBody } from "../../spec/operations.ts";
import { type FieldTarget, type RuleTarget, targetsAt } from "../shared/history-rule.ts";

/** Returns the creates that answer with a resource, without actions. */
export function createTargets(spec: Spec): { operation: Operation }[] {
  const creates = operationsWithBody(spec, "create");
  return targetsAt(creates.filter((operation) => operation.resource && !isAction(spec, operation)));
}

interface ListedTarget extends RuleTarget {
  list: Operation;
  updates: Operation[];
  actions: readonly Operation[];
  /** Updates and actions of parents. */
  ofParents: Operation[];
}

/** Returns the creates whose resources a list shows. */
export function listedCreates(spec: Spec): ListedTarget[] {
  return createTargets(spec).flatMap(({ operation }) => {
    const [list] = listsOf(spec, operation);
    if (!list) return [];
    const kinds = resourceKinds(spec).filter(({ create }) => create === operation);
    const makers = new Set(operation.outer.map(({ madeBy }) => madeBy));
    const parents = resourceKinds(spec).filter(({ create }) => makers.has(create?.id));
    const updates = kinds.flatMap((kind) => kind.updates);
    const actions = kinds.flatMap((kind) => kind.actions);
    const ofParents = parents.flatMap((kind) => [...kind.updates, ...kind.actions]);
    return [{ operation, list, updates, actions, ofParents }];
  });
}

/** Returns the fields of bodies or resources that fit. */
export function fieldsOf(
  spec: Spec,
  part: "body" | "resource",
  fits: (schema: Schema) => boolean,
): FieldTarget[] {
  return createTargets(spec).flatMap(({ operation }) =>
    spec.schemas
      .fields(operation[part])
      .filter(([, schema]) => fits(schema))
      .map(([field]) => ({ operation, field, detail: field })),
  );
}
