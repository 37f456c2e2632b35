import type { ByPlace, Profile } from "../spec/model/profile.ts";
import type { Operation, Requirement, Schema, Spec } from "../spec/model/spec.ts";
import { childSchemas } from "../spec/schema.ts";

export {
  type ByPlace,
  type Profile,
  type Promised,
  REJECTION_CAUSES,
  type RejectionCause,
} from "../spec/model/profile.ts";

export const SILENT_ON = {
  rejections: "REJECTION-STATUS",
  errorBody: "SILENCE-ERROR-BODY",
  challenge: "REJECTION-CHALLENGE",
} as const;

/** Returns the promise for the field, else the one for its operation. */
export function promisedAt<T>(by: ByPlace<T>, operation: string, field?: string): T | undefined {
  const places = field === undefined ? [operation] : [`${operation} ${field}`, operation];
  const place = places.find((candidate) => Object.hasOwn(by, candidate));
  return place === undefined ? undefined : by[place];
}

/** Returns the promises for the operation and for its fields. */
export function promisedAround<T>(by: ByPlace<T>, operation: string): T[] {
  return Object.entries(by).flatMap(([place, promise]) =>
    place === operation || place.startsWith(`${operation} `) ? [promise] : [],
  );
}

/** Adds the promises as requirements. */
export function withProfile(spec: Spec, profile: Profile | undefined): Spec {
  if (!profile) return spec;
  const added = profile.promised.map(({ id, fills, statement }): [string, Requirement] => {
    const silent = spec.requirements.get(fills);
    return [id, { id, row: silent?.row ?? 0, level: "MUST", section: silent?.section ?? "", statement }];
  });
  return { ...spec, requirements: new Map([...spec.requirements, ...added]) };
}

/** A field whose values the specification leaves open (`x-observe`). */
export interface OpenField {
  /** For example `Payout/failureDetail/code`. */
  field: string;
  requirement: string;
  schema: Schema;
  operations: string[];
}

/** Returns the fields whose values the specification leaves open, by name. */
export function openFields(spec: Spec): Map<string, OpenField> {
  const found = new Map<string, OpenField>();
  for (const operation of spec.operations) {
    if (operation.resource) visitOpen(spec, operation, operation.resource, "", new Set(), found);
  }
  return found;
}

/** Adds the fields below the schema that services may fill with values of their own, each component once. */
function visitOpen(
  spec: Spec,
  operation: Operation,
  schema: Schema,
  at: string,
  seen: Set<Schema>,
  found: Map<string, OpenField>,
): void {
  const flat = spec.schemas.flatten(schema);
  if (seen.has(flat)) return;
  seen.add(flat);
  const here = spec.schemas.componentName(schema) ?? at;
  const requirement = flat["x-observe"];
  if (requirement !== undefined) {
    const known = found.get(here) ?? { field: here, requirement, schema: flat, operations: [] };
    known.operations.push(operation.key);
    found.set(here, known);
  }
  for (const [[keyword, name], child] of childSchemas(flat)) {
    if (keyword === "properties") visitOpen(spec, operation, child, `${here}/${name}`, seen, found);
    else if (keyword === "items") visitOpen(spec, operation, child, here, seen, found);
  }
}

/** Returns the requirement id of a promise, such as `PROFILE-EMPTY-TEXTS`. */
export function promiseId(...words: string[]): string {
  const parts = words.join("-").replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return `PROFILE-${parts.replace(/[^A-Za-z0-9]+/g, "-").toUpperCase()}`;
}
