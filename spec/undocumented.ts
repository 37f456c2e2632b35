import type { Operation } from "./model/spec.ts";

/** True if no valid request is documented (section 4.17). */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
