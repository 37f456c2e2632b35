import type { Operation } from "./model/spec.ts";

/** No valid request is documented for these (section 4.17). */
export function isUndocumented({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "named" || kind === "other";
}
