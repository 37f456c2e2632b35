import { isObject } from "../json.ts";
import type { Requirement } from "../model/spec.ts";
import { refusals } from "./refusals.ts";
import { Mistakes, type YamlSource } from "./source.ts";

/**
 * Returns the requirements by id.
 * @throws SpecError for a wrong row
 */
export function loadCatalogue(source: YamlSource): Map<string, Requirement> {
  const rows = isObject(source.value) ? source.value.requirements : undefined;
  if (!Array.isArray(rows)) throw source.error([], "no list of requirements");
  const catalogue = new Map<string, Requirement>();
  const mistakes = new Mistakes();
  for (const [index, row] of rows.entries()) {
    mistakes.in(() => {
      const path = ["requirements", index];
      const [refused] = refusals(source, "requirement", row, () => `/requirements/${index}`);
      if (refused) throw refused;
      const requirement: Requirement = { ...row, line: source.line(path) };
      if (catalogue.has(requirement.id))
        throw source.error([...path, "id"], `duplicate requirement ${requirement.id}`);
      catalogue.set(requirement.id, requirement);
    });
  }
  mistakes.throwAll();
  return catalogue;
}

/** Returns the ids of the requirements, or `undefined` if the file has no list of them. */
export function idsIn(source: YamlSource): ReadonlySet<string> | undefined {
  const rows = isObject(source.value) ? source.value.requirements : undefined;
  if (!Array.isArray(rows)) return undefined;
  return new Set(rows.flatMap((row) => (isObject(row) && typeof row.id === "string" ? [row.id] : [])));
}
