import type { Operation } from "./model/spec.ts";

/** True for an operation without a documented shape (section 4.17): no request is known to be valid. */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
