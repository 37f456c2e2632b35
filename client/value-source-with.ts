import type { ValueSource } from "../generators/values.ts";
import { UNIQUE } from "../spec/fixture-values.ts";
import type { Schema, ValuesFrom } from "../spec/model/spec.ts";
import { childSchemas } from "../spec/schema.ts";
import { referencesOf } from "./references.ts";
import type { Target } from "./target.ts";

/** Looks up the values of the schema first, because generators are synchronous. */
export async function valueSourceWith(
  target: Target,
  schema: Schema,
  valuesOf: (from: ValuesFrom) => string[] | Promise<string[]>,
): Promise<ValueSource> {
  const { schemas } = target.spec;
  const known = new Map<string, string[]>();
  const references = new Map<Schema, string[]>();
  const visited = new Set<Schema>();
  const visit = async (node: Schema): Promise<void> => {
    const flat = schemas.flatten(node);
    if (visited.has(flat)) return;
    visited.add(flat);
    const from = flat["x-values-from"];
    const wanted = flat["x-references"];
    const below = [...childSchemas(flat)].map(([, child]) => visit(child));
    if (from && !known.has(from.fixture)) {
      known.set(from.fixture, []);
      known.set(from.fixture, await valuesOf(from));
    }
    if (wanted) references.set(flat, await referencesOf(target, wanted));
    await Promise.all(below);
  };
  await visit(schema);
  return {
    schemas,
    unique: () => target.unique(),
    known: (fixture) =>
      (known.get(fixture) ?? []).map((value) => value.replaceAll(UNIQUE, () => target.unique())),
    references: (asked) => references.get(schemas.flatten(asked)) ?? [],
    seed: target.settings.seed,
  };
}
