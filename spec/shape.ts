/** The shape of an answer, compiled once from its schema: all that is demanded of each value, found in one walk. */

import { type Demand, demandsOf, type Wrong } from "./demands.ts";
import { appendPointer, isObject } from "./json.ts";
import type { Schema } from "./model/spec.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** What is told of each value on a walk. */
export interface Visited {
  shape: Shape;
  value: unknown;
  pointer: string;
  /** The object or list that holds the value; undefined for the root. */
  parent: unknown;
}

/** Who is told what a walk finds. */
export interface Watch {
  /** A demand that a value could have broken, and what was wrong where it did. */
  judged(demand: Demand, wrong: Wrong | null): void;
  visited(at: Visited): void;
}

/** Everything that is said of the values at one place, in however many schemas. */
export class Shape {
  /** The schemas that say it, references followed and compositions taken apart. */
  readonly schemas: readonly Schema[];
  readonly demands: readonly Demand[];
  /** Names of the documented properties; undefined where none are documented. */
  readonly names: ReadonlySet<string> | undefined;
  readonly #of: (schemas: readonly Schema[]) => Shape | undefined;
  readonly #properties = new Map<string, Shape | undefined>();
  #items: Shape | null | undefined = null;
  #others: Shape | null | undefined = null;

  constructor(
    schemas: readonly Schema[],
    demands: readonly Demand[],
    of: (schemas: readonly Schema[]) => Shape | undefined,
  ) {
    this.schemas = schemas;
    this.demands = demands;
    this.#of = of;
    const names = schemas.flatMap(({ properties }) => (properties ? [Object.keys(properties)] : []));
    this.names = names.length > 0 ? new Set(names.flat()) : undefined;
  }

  /** The shape of a property; of one that is not documented, that of all such. */
  property(name: string): Shape | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name);
    if (!this.names?.has(name)) return this.#otherProperties();
    const shape = this.#of(this.schemas.flatMap(({ properties }) => properties?.[name] ?? []));
    this.#properties.set(name, shape);
    return shape;
  }

  #otherProperties(): Shape | undefined {
    if (this.#others === null)
      this.#others = this.#of(
        this.schemas.flatMap(({ additionalProperties: other }) => (isObject(other) ? [other] : [])),
      );
    return this.#others;
  }

  /** The shape of the items of a list. */
  items(): Shape | undefined {
    if (this.#items === null) this.#items = this.#of(this.schemas.flatMap(({ items }) => items ?? []));
    return this.#items;
  }

  /** The shapes right below this one. */
  below(): Shape[] {
    const properties = [...(this.names ?? [])].map((name) => this.property(name));
    return [...properties, this.items(), this.#otherProperties()].filter((shape) => shape !== undefined);
  }
}

/** The shapes of schemas, each made once. */
export class Shapes {
  readonly #index: SchemaIndex;
  readonly #made = new Map<string, Shape>();
  readonly #numbers = new Map<Schema, number>();
  readonly #demands = new Map<Schema, Demand[]>();

  constructor(index: SchemaIndex) {
    this.#index = index;
  }

  /** The shape that schemas give together; undefined for none. */
  of(given: readonly Schema[]): Shape | undefined {
    const schemas = [...new Set(given.flatMap((schema) => this.#parts(schema)))];
    if (schemas.length === 0) return undefined;
    const key = schemas.map((schema) => this.#number(schema)).join();
    const known = this.#made.get(key);
    if (known) return known;
    // What is of a wrong type is wrong in no other way.
    const [types, others] = [true, false].map((wanted) =>
      schemas
        .flatMap((schema) => this.#demandsOf(schema))
        .filter(({ keyword }) => (keyword === "type") === wanted),
    );
    const demands = [...(types ?? []), ...(others ?? [])];
    const shape = new Shape(schemas, demands, (below) => this.of(below));
    this.#made.set(key, shape);
    return shape;
  }

  /** Every demand of a shape and of all that is below it. */
  demandsBelow(shape: Shape, seen = new Set<Shape>()): Demand[] {
    if (seen.has(shape)) return [];
    seen.add(shape);
    return [...shape.demands, ...shape.below().flatMap((child) => this.demandsBelow(child, seen))];
  }

  #parts(schema: Schema): Schema[] {
    const target = this.#index.resolve(schema);
    if (target !== schema) return this.#parts(target);
    return [...(schema.allOf ?? []).flatMap((part) => this.#parts(part)), schema];
  }

  #number(schema: Schema): number {
    const known = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, known);
    return known;
  }

  #demandsOf(schema: Schema): Demand[] {
    const known = this.#demands.get(schema) ?? demandsOf(this.#index, schema);
    this.#demands.set(schema, known);
    return known;
  }
}

/**
 * Looks at a value and at everything in it that its shape describes. What is below a value of a wrong type is not
 * looked at. Nulls where there may be none are told of an object as a whole, with the names of the fields.
 */
export function walkShape(shape: Shape, value: unknown, watch: Watch): void {
  visit(shape, value, "", undefined, watch);
}

type Nulls = Map<string, { demand: Demand; names: string[]; wrong: Wrong }>;

function visit(
  shape: Shape,
  value: unknown,
  pointer: string,
  parent: unknown,
  watch: Watch,
  nulls?: Nulls,
  name = "",
): void {
  watch.visited({ shape, value, pointer, parent });
  let stops = false;
  for (const demand of shape.demands) {
    if (stops) break;
    const wrong = demand.look(value, pointer);
    if (wrong === undefined) continue;
    if (wrong !== null && demand.keyword === "type") stops = true;
    if (wrong?.isNull && nulls) {
      const known = nulls.get(demand.requirement) ?? { demand, names: [], wrong };
      if (!known.names.includes(name)) known.names.push(name);
      nulls.set(demand.requirement, known);
    } else watch.judged(demand, wrong);
  }
  if (stops) return;
  if (Array.isArray(value)) {
    const items = shape.items();
    if (items)
      for (const [index, item] of value.entries())
        visit(items, item, appendPointer(pointer, index), value, watch);
  } else if (isObject(value)) {
    const found: Nulls = new Map();
    for (const key of Object.keys(value)) {
      const child = shape.property(key);
      if (child) visit(child, value[key], appendPointer(pointer, key), value, watch, found, key);
    }
    for (const { demand, names, wrong } of found.values())
      watch.judged(demand, { ...wrong, ...nullsIn(names) });
  }
}

/** How nulls are told of, wherever they stand. */
export function nullsIn(
  names: readonly string[],
): Pick<Wrong, "expected" | "actual"> & { nulls: readonly string[] } {
  return {
    expected: "no null where the specification does not allow it",
    actual: `null in ${names.join(", ")}`,
    nulls: names,
  };
}
