import type { JsonObject } from "../json.ts";

/** Causes of rejections whose status the specification leaves open. */
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

/** Values by operation (`POST /webhooks`) or by field (`POST /webhooks name`), which takes precedence. */
export type ByPlace<T> = Record<string, T>;

export type Promised = {
  id: string;
  /** The requirement of level NOTE that the promise makes binding. */
  fills: string;
  statement: string;
} & (
  | { kind: "rejection"; cause: RejectionCause; statuses: ByPlace<number[]> }
  | { kind: "practice"; practice: string; answers: ByPlace<string> }
  | { kind: "values"; field: string; allowed: string[] }
  | { kind: "error-body"; schema: JsonObject }
  | { kind: "error-type"; types: string[] }
  | { kind: "challenge"; scheme: string }
);

export interface Profile {
  name: string;
  sha256: string;
  promised: Promised[];
  offers?: string[];
}
