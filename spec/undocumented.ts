import type { Operation } from "./model/spec.ts";

/** Without a documented shape (section 4.17), no request to an operation is known to be valid. */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
