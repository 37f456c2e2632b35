/**
 * Vendor profiles: what one service promises where the specification is silent. This file holds the words of a
 * profile and what they mean; `runner/profile.ts` reads a file of them, `suites/profile.ts` tests them.
 */

import type { JsonObject } from "../spec/json.ts";
import type { Operation, Requirement, Schema, Spec } from "../spec/model/spec.ts";
import { childSchemas } from "../spec/schema.ts";
import type { Practice } from "./practices.ts";

/** What a probe gives a service cause to reject, and how statements name it (section 7: statuses are not shown). */
export const REJECTION_CAUSES = {
  unauthenticated: "A call without a valid bearer token",
  "missing-space": "A call that acts on a space without naming one",
  "invalid-space": "A space id that breaks the pattern or the length limit",
  "unknown-space": "A well-formed space id that names no space",
  "unknown-id": "A read or update of an id or code that does not exist",
  "invalid-body": "A JSON body that breaks a rule of the operation",
  "malformed-json": "A body that is not JSON",
  "unsupported-media-type": "A JSON body sent as text/plain",
  "invalid-parameter": "A query parameter that is missing or breaks a rule",
  "invalid-cursor": "A cursor that is too long or was never issued",
  "missing-idempotency-key": "A creating call without an Idempotency-Key",
  "invalid-idempotency-key": "An Idempotency-Key over the length limit",
  "idempotency-conflict": "An Idempotency-Key used again with another body",
  "duplicate-value": "A second use of a value that is unique in its space",
  "unknown-version": "A Service-Version that is not allowed",
} as const;
export type RejectionCause = keyof typeof REJECTION_CAUSES;

/** The requirements on which the specification is silent, as far as they are not those of practices. */
export const SILENT_ON = {
  rejections: "REJECTION-STATUS",
  errorBody: "SILENCE-ERROR-BODY",
  challenge: "REJECTION-CHALLENGE",
} as const;

/**
 * Where a promise holds: by operation key, or operation key, space and field (`POST /webhooks name`), which
 * outweighs the operation's.
 */
export type ByPlace<T> = Record<string, T>;

/** One thing promised: a requirement of its own while the profile is in force. Plain data. */
export type Promised = {
  /** `PROFILE-…` */
  id: string;
  /** The NOTE requirement that says what the specification leaves open here. */
  fills: string;
  statement: string;
} & (
  | { kind: "rejection"; cause: RejectionCause; statuses: ByPlace<number[]> }
  | { kind: "practice"; practice: Practice["key"]; answers: ByPlace<string> }
  | { kind: "values"; field: string; allowed: string[] }
  | { kind: "error-body"; schema: JsonObject }
  | { kind: "error-type"; types: string[] }
  | { kind: "challenge"; scheme: string }
);

/** A profile as it was read and checked against a Spec. Plain, structured-cloneable data. */
export interface Profile {
  name: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  sha256: string;
  promised: Promised[];
}

/** What is promised of a field at an operation, or of the operation where it says nothing of the field. */
export function promisedAt<T>(by: ByPlace<T>, operation: string, field?: string): T | undefined {
  const own = field === undefined ? undefined : `${operation} ${field}`;
  return own !== undefined && Object.hasOwn(by, own)
    ? by[own]
    : Object.hasOwn(by, operation)
      ? by[operation]
      : undefined;
}

/** `spec` with the promises of a profile as MUST requirements after its own. */
export function withProfile(spec: Spec, profile: Profile | undefined): Spec {
  if (!profile) return spec;
  const added = profile.promised.map(({ id, fills, statement }): [string, Requirement] => {
    const silent = spec.requirements.get(fills);
    return [id, { id, row: silent?.row ?? 0, level: "MUST", section: silent?.section ?? "", statement }];
  });
  return { ...spec, requirements: new Map([...spec.requirements, ...added]) };
}

/** An enumeration whose values the specification leaves open (`x-observe`). */
export interface OpenField {
  /** `Payout/failureDetail/code`: the resource, and the field within it. */
  field: string;
  requirement: string;
  schema: Schema;
  /** Keys of the operations that show it. */
  operations: string[];
}

/** Every open enumeration of a Spec, by resource and field. */
export function openFields(spec: Spec): Map<string, OpenField> {
  const found = new Map<string, OpenField>();
  for (const operation of spec.operations) {
    if (operation.resource) visitOpen(spec, operation, operation.resource, "", new Set(), found);
  }
  return found;
}

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

/** `PROFILE-` and words in capitals: `PROFILE-VALUES-PAYOUT-STATUS`. */
export function promiseId(...words: string[]): string {
  const parts = words.join("-").replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return `PROFILE-${parts.replace(/[^A-Za-z0-9]+/g, "-").toUpperCase()}`;
}
