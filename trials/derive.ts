import type { Operation, Spec } from "../spec/model/spec.ts";

/** The operations of some kinds. */
export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}
