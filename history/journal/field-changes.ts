import { fixedFields } from "../../spec/identity.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { UNDOCUMENTED } from "../../spec/schema-index.ts";
import type { ResourceKind } from "../resource-kinds.ts";

/** True if no update may change the field (`x-fixed`). */
export function isFixed(spec: Spec, { updates }: ResourceKind, field: string): boolean {
  return fixedFields(spec, updates[0] ?? {}).includes(field);
}

/** True if only an update of the field may change it, and no action or cancellation. */
export function isSettled(spec: Spec, kind: ResourceKind, field: string): boolean {
  const { "x-settled": settled = [] } = spec.schemas.flatten(kind.updates[0]?.resource);
  return isFixed(spec, kind, field) || settled.includes(field);
}

/** Returns the fields that may change without a write. */
export function unsettledFields(spec: Spec, kind: ResourceKind): string[] {
  return spec.schemas.fieldNames(kind.updates[0]?.resource).filter((field) => !isSettled(spec, kind, field));
}

/** True if the field changes only if it is sent (no default, no one-way value). */
export function changesOnlyIfSent(spec: Spec, kind: ResourceKind, field: string): boolean {
  return memoizedChangesOnlyIfSent(kind, { spec, field });
}

const memoizedChangesOnlyIfSent = memoized(
  (kind: ResourceKind, { spec, field }: { spec: Spec; field: string }): boolean => {
    if (isSettled(spec, kind, field)) return true;
    const schemas = kind.updates
      .map(({ body }) => spec.schemas.field(body, field))
      .filter((schema) => schema !== UNDOCUMENTED);
    const mayReset = schemas.some((schema) => schema.default !== undefined);
    const isOneWay = schemas.some((schema) => schema["x-consumes"] !== undefined);
    return schemas.length > 0 && !mayReset && !isOneWay;
  },
  ({ field }) => field,
);

/** True if this update must keep the field, even one that may change by itself. */
export function mustKeepUnsent(
  spec: Spec,
  kind: ResourceKind,
  field: string,
  update: Operation | null | undefined,
): boolean {
  if (changesOnlyIfSent(spec, kind, field)) return true;
  const isTakenBy = (each: Operation) => acceptsField(spec, each, field);
  return update?.readBack?.keeps === "all" && !isTakenBy(update) && kind.updates.some(isTakenBy);
}

/** True for a PUT that may reset the field if the request leaves it out. */
export function mayReset(spec: Spec, kind: ResourceKind, field: string, update: Operation): boolean {
  if (update.method !== "PUT") return false;
  if (acceptsField(spec, update, field)) return true;
  return update.readBack?.keeps !== "all" && !isSettled(spec, kind, field);
}

export function acceptsField(spec: Spec, { body }: Operation, field: string): boolean {
  return spec.schemas.field(body, field) !== UNDOCUMENTED;
}

/** True for fields with a default, and for times. */
export function mayChangeByItself(spec: Spec, kind: ResourceKind, field: string): boolean {
  if (changesOnlyIfSent(spec, kind, field)) return false;
  const [update] = kind.updates;
  if (spec.schemas.field(update?.body, field).default !== undefined) return true;
  return spec.schemas.field(update?.resource, field).format === "date-time";
}
