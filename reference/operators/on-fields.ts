import type { Defect } from "../defects/defect.ts";
import type { BodyField } from "../fields/bodies.ts";
import { type Condition, VERSION_CHOICES } from "./condition.ts";
import { inTurn, type Mutation, operator } from "./operator.ts";

export type FieldCase = readonly [field: BodyField, when: Condition | undefined];

export function onFields(
  name: string,
  cases: readonly FieldCase[],
  about: (field: BodyField) => Pick<Mutation, "breaks" | "does" | "hooks" | "alsoAt" | "equivalent">,
): Defect[] {
  return operator(
    name,
    cases.map(([field, when]) => ({ operation: field.operation, at: field.name, when, ...about(field) })),
  );
}

export function inAll(fields: readonly BodyField[]): FieldCase[] {
  return fields.map((field) => [field, undefined]);
}

export function alsoInTurn(fields: readonly BodyField[]): FieldCase[] {
  return [...inAll(fields), ...inTurn(fields, () => VERSION_CHOICES)];
}
