import type { Spec } from "./model/spec.ts";

export function isOpen({ requirements }: Pick<Spec, "requirements">, requirement = ""): boolean {
  return requirements.get(requirement)?.level === "NOTE";
}
