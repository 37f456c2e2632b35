import type { Check, Suite } from "../../client/check.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";

export type Rules = (spec: Spec, suite: string) => Check[];

/** Returns the checks of the rules. Their ids begin with the name of the suite. */
export function suiteOf(suite: string, ...rules: Rules[]): Suite {
  return (spec) => rules.flatMap((rule) => rule(spec, suite));
}

export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}

/** Returns the create at the path of the operation, if there is one. */
export function createAt(spec: Spec, { path }: Operation): Operation | undefined {
  return operationsOf(spec, "create").find((create) => create.path === path);
}

export function operationsWithBody(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return operationsOf(spec, ...kinds).filter(({ body }) => body !== undefined);
}
