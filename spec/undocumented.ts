import type { Operation } from "./model/spec.ts";

/**
 * True for an operation without a documented shape (section 4.17), none of whose requests is known to be
 * valid.
 */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
