import type { Spec } from "./model/spec.ts";

/** True for a requirement of level NOTE: a violation is only recorded. */
export function isOpen({ requirements }: Pick<Spec, "requirements">, requirement = ""): boolean {
  return requirements.get(requirement)?.level === "NOTE";
}
