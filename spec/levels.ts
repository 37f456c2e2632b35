import type { Spec } from "./model/spec.ts";

/** True if the specification leaves it open: the requirement has the level NOTE. */
export function isOpen({ requirements }: Pick<Spec, "requirements">, requirement = ""): boolean {
  return requirements.get(requirement)?.level === "NOTE";
}
