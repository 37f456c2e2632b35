import type { Operation } from "./model/spec.ts";

/**
 * True if an operation has no documented shape (section 4.17), so that no request to it is known to be valid.
 */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
