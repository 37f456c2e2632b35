import { uniqueFields } from "../../spec/identity.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { allowsNull } from "../../spec/schema.ts";
import type { FieldTarget } from "../shared/history-rule.ts";

/** Returns the unique fields of creates, or of updates of resources that the run makes. */
export function uniqueTargets(spec: Spec, kind: "create" | "update" = "create"): FieldTarget[] {
  return operationsWithBody(spec, kind)
    .filter(({ pathParameter }) => kind === "create" || pathParameter?.madeBy !== undefined)
    .flatMap((operation) =>
      uniqueFields(spec, operation).map((field) => ({ operation, field, detail: field })),
    );
}

/** Returns the value as a text, or `undefined` for null and the empty text, which need not be unique. */
export function uniqueValue(value: unknown): string | undefined {
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}

export interface WithoutTarget extends FieldTarget {
  detail: string;
  isNull: boolean;
  isWithout(sent: JsonObject): boolean;
}

/** Returns unique fields that may be absent or null, each way by itself. */
export function optionalValues(spec: Spec): WithoutTarget[] {
  return uniqueTargets(spec).flatMap((at): WithoutTarget[] => {
    const { operation, field } = at;
    const leftOut = {
      ...at,
      detail: field,
      isNull: false,
      isWithout: (sent: JsonObject) => !(field in sent),
    };
    const isSentNull = (sent: JsonObject) => sent[field] === null;
    const asNull = { ...at, detail: `${field} null`, isNull: true, isWithout: isSentNull };
    const isRequired = spec.schemas.required(operation.body).includes(field);
    const isNullable = allowsNull(spec.schemas.field(operation.body, field));
    return [...(isRequired ? [] : [leftOut]), ...(isNullable ? [asNull] : [])];
  });
}
