import { isObject } from "../json.ts";
import type { Level, Requirement } from "../model/spec.ts";
import { didYouMean } from "../nearest.ts";
import { Mistakes, type YamlSource } from "./source.ts";

const KEYS = ["id", "row", "level", "section", "statement", "untested"];
const LEVELS: readonly unknown[] = ["MUST", "SHOULD", "NOTE"] satisfies Level[];

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
      const requirement = requirementOf(source, row, path);
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

/**
 * Checks one row of requirements.yaml.
 * @throws SpecError with its line if a key is missing, unknown or malformed.
 */
function requirementOf(source: YamlSource, row: unknown, path: (string | number)[]): Requirement {
  if (!isObject(row)) throw source.error(path, "a requirement is an object");
  const unknown = Object.keys(row).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw source.error([...path, unknown], `a requirement has no ${unknown}${didYouMean(unknown, KEYS)}`);
  }
  const { id, row: number, level, section, statement, untested } = row;
  if (typeof id !== "string" || !/^[A-Z][A-Z0-9-]*$/.test(id))
    throw source.error(path, "a requirement needs an id in capitals");
  if (typeof number !== "number") throw source.error(path, `${id} needs the row that it comes from`);
  if (!LEVELS.includes(level)) throw source.error(path, `${id} needs a level: MUST, SHOULD or NOTE`);
  if (typeof section !== "string") throw source.error(path, `${id} needs a section, in quotes`);
  if (typeof statement !== "string" || statement === "") throw source.error(path, `${id} needs a statement`);
  if (untested !== undefined && (typeof untested !== "string" || untested === ""))
    throw source.error(path, `${id}: untested is a reason`);
  return {
    id,
    row: number,
    level: level as Level,
    section,
    statement,
    ...(untested === undefined ? {} : { untested }),
    line: source.line(path),
  };
}
