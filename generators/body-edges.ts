/** Values at the inside edge of a rule: as far as it allows. */

import { appendPointer } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import type { Constraint } from "./keyword-faults.ts";
import {
  arrayOfLength,
  isWithinItself,
  mapOfSize,
  type Supply,
  suppliedWithin,
  textOfLength,
} from "./values.ts";

/** An inside edge: a value as far as its rule allows. */
export interface Edge {
  pointer: string;
  constraint: Constraint;
  what: string;
  value: unknown;
  /** Whether the value stands on names that the service may not know, so that a rejection proves nothing. */
  doubtful: boolean;
}

/** The inside edges of an object schema's properties. Texts are plain ASCII, so that no way of counting decides. */
export function bodyEdges(schema: Schema, supply: Supply, pointer = ""): Edge[] {
  const flat = supply.schemas.flatten(schema);
  const inner = suppliedWithin(supply, flat);
  return Object.entries(flat.properties ?? {})
    .filter(([, child]) => !isWithinItself(inner, child))
    .flatMap(([name, child]) =>
      valueEdges(supply.schemas.flatten(child), appendPointer(pointer, name), inner),
    );
}

function valueEdges(schema: Schema, pointer: string, supply: Supply): Edge[] {
  const edges: Edge[] = [];
  const add = (constraint: Constraint, what: string, value: unknown, doubtful = false) => {
    // The edge of one rule may be outside of another: a least number that is no multiple.
    const rules = withoutSources(schema);
    if (supply.schemas.validate(rules, value).length === 0)
      edges.push({ pointer, constraint, what, value, doubtful });
  };
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, maxProperties } = schema;
  for (const [constraint, length = 0] of [
    ["maxLength", maxLength],
    ["minLength", minLength],
  ] as const) {
    const text = length > 0 ? textOfLength(schema, length, supply) : undefined;
    if (text !== undefined) add(constraint, `${length} characters`, text);
  }
  // The least number of a field that is unique may be taken: by an earlier run, perhaps.
  const taken = schema["x-unique"] !== undefined;
  if (minimum !== undefined) add("minimum", String(minimum), minimum, taken);
  if (maximum !== undefined) add("maximum", String(maximum), maximum, taken);
  if (typesOf(schema).includes("array")) {
    for (const [constraint, length] of [
      ["minItems", minItems ?? 0],
      ["maxItems", maxItems],
    ] as const) {
      if (length === undefined) continue;
      const exact = arrayOfLength(schema, length, supply);
      const known = knownCount(schema, supply);
      if (exact) add(constraint, `${length} elements`, exact, length > known);
    }
  }
  if (maxProperties !== undefined && !schema.properties && !schema.propertyNames)
    add("maxProperties", `${maxProperties} properties`, mapOfSize(schema, maxProperties, supply));
  if (typesOf(schema).includes("object") && minItems === undefined && schema["x-send"] && !schema.required) {
    add("additionalProperties", "an empty object", {});
  }
  if (schema.properties) edges.push(...bodyEdges(schema, supply, pointer));
  return edges;
}

const rulesAlone = new WeakMap<Schema, Schema>();

/** A schema by itself, compiled once, where that of an element has no place of its own in the document. */
function withoutSources(schema: Schema): Schema {
  const known = rulesAlone.get(schema) ?? { ...schema };
  rulesAlone.set(schema, known);
  return known;
}

/** How many different elements are surely good: all of them, unless names of the service are needed. */
function knownCount(schema: Schema, supply: Supply): number {
  if (schema["x-references"]) return supply.references(schema).length;
  const from = schema["x-values-from"];
  return from ? supply.known(from.fixture).length : Number.POSITIVE_INFINITY;
}
