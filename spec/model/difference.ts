export type DifferenceKind =
  | "accepted"
  | "answers-differ"
  | "changed"
  | "list-differs"
  | "missing"
  | "must-be-absent"
  | "not-json"
  | "null"
  | "other-resource"
  | "other-space"
  | "other-type"
  | "other-version"
  | "repeated"
  | "same-resource"
  | "too-few"
  | "too-many"
  | "wrong-number";

export interface OfKind {
  difference?: DifferenceKind | undefined;
}

/** Says that a value is missing or null, if it is. */
export function lackIn(shown: unknown): OfKind {
  if (shown === undefined) return { difference: "missing" };
  return shown === null ? { difference: "null" } : {};
}
