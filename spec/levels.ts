import type { Spec } from "./model/spec.ts";

/** A violated NOTE is only recorded. */
export function isOpen({ requirements }: Pick<Spec, "requirements">, requirement = ""): boolean {
  return requirements.get(requirement)?.level === "NOTE";
}
