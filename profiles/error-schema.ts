import { createProfileAjv } from "../spec/formats.ts";
import { isObject, type JsonObject, valueAt } from "../spec/json.ts";

/** Keywords whose schemas apply to the same value. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] as const;

/** Values that overflow the stack if the schema refers to itself without end. */
const SAMPLE_VALUES = [{}, [], "", 0, true, null];

/** Completes "the schema …". Undefined if the schema is sound. */
export function faultOfSchema(schema: JsonObject): string | undefined {
  try {
    const circle = circleIn(schema);
    if (circle !== undefined) return `refers to itself: ${circle}`;
    const matches = createProfileAjv().compile(schema);
    for (const sample of SAMPLE_VALUES) matches(sample);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return "refers to itself, or is nested too deep";
    return `is no JSON Schema: ${(error as Error).message}`;
  }
}

/** Returns the way of a schema back to itself, which would never end, or `undefined` if there is none. */
function circleIn(root: JsonObject): string | undefined {
  const done = new Set<unknown>();
  const follow = (
    schema: unknown,
    path: readonly (readonly [schema: unknown, name: string])[],
  ): string | undefined => {
    if (!isObject(schema) || done.has(schema)) return undefined;
    const begins = path.findIndex(([earlier]) => earlier === schema);
    if (begins !== -1) {
      const names = path.slice(begins).map(([, name]) => name);
      return [...names, names[0]].join(" → ");
    }
    for (const [name, next] of inPlace(schema, root)) {
      const found = follow(next, [...path, [schema, name]]);
      if (found !== undefined) return found;
    }
    done.add(schema);
    return undefined;
  };
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = follow(next, []);
    if (found !== undefined) return found;
    if (typeof next === "object" && next !== null)
      waiting.push(...Object.values(next).filter((part) => typeof part === "object" && part !== null));
  }
  return undefined;
}

/** Returns the schemas that judge the same value as this one, by reference or combination. */
function inPlace(schema: JsonObject, root: JsonObject): [name: string, schema: unknown][] {
  const { $ref, dependentSchemas } = schema;
  const referred: [string, unknown][] =
    typeof $ref === "string" && /^#(\/|$)/.test($ref)
      ? [[$ref, valueAt(root, decodeURIComponent($ref.slice(1)))]]
      : [];
  const combined = IN_PLACE.flatMap((name) =>
    [schema[name]].flat().map((part): [string, unknown] => [name, part]),
  );
  const dependent = isObject(dependentSchemas)
    ? Object.values(dependentSchemas).map((part): [string, unknown] => ["dependentSchemas", part])
    : [];
  return [...referred, ...combined, ...dependent];
}
