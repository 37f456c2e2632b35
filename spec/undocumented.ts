import type { Operation } from "./model/spec.ts";

/** No request to an undocumented operation is known to be valid (section 4.17). */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
