/** All schemas of one place, with references and compositions resolved. */

import { appendPointer, isObject, jsonType } from "../json.ts";
import { keptIn, memoized } from "../memoized.ts";
import type { Relation, Schema } from "../model/schema.ts";
import { typesOf } from "../schema.ts";
import type { SchemaIndex } from "../schema-index.ts";
import { appliesTo, KEYWORD_NAMES, type Keyword } from "./keywords.ts";
import { brokenRelation } from "./relations.ts";

export interface Visited {
  shape: Shape;
  value: unknown;
  pointer: string;
  parent: unknown;
  exercised: ReturnType<Shape["exercisedBy"]>;
}

interface Stated {
  keyword: Keyword;
  requirement: string;
}

export class Shape {
  readonly #relations: readonly Relation[];
  readonly #byType = new Map<string, readonly string[] | null>();
  readonly names: ReadonlySet<string> | undefined;
  readonly #properties = new Map<string, Shape | undefined>();
  #items: Shape | null | undefined = null;
  #others: Shape | null | undefined = null;

  constructor(
    readonly schemas: readonly Schema[],
    private readonly stated: readonly Stated[],
    private readonly shapeOf: (schemas: readonly Schema[]) => Shape | undefined,
  ) {
    this.#relations = schemas.flatMap((schema) => schema["x-relations"] ?? []);
    const names = schemas.flatMap(({ properties }) => (properties ? [Object.keys(properties)] : []));
    this.names = names.length > 0 ? new Set(names.flat()) : undefined;
  }

  get requirements(): string[] {
    return [...this.stated, ...this.#relations].map(({ requirement }) => requirement);
  }

  /** Returns the requirements that the value can break, or null for a wrong type. */
  exercisedBy(value: unknown): readonly string[] | null {
    const type = jsonType(value);
    let requirements = this.#byType.get(type);
    if (requirements === undefined) {
      requirements = this.#isAllowed(type)
        ? this.stated.filter(({ keyword }) => appliesTo(keyword, value)).map(({ requirement }) => requirement)
        : null;
      this.#byType.set(type, requirements);
    }
    if (requirements === null || this.#relations.length === 0) return requirements;
    const related = this.#relations.filter((relation) => brokenRelation(relation, value, 0) !== undefined);
    return [...requirements, ...related.map(({ requirement }) => requirement)];
  }

  #isAllowed(type: string): boolean {
    return this.schemas.every((schema) => {
      const types = typesOf(schema);
      if (types.length === 0 || types.includes(type)) return true;
      return type === "null"
        ? schema["x-null-echo"] === true
        : type === "integer" && types.includes("number");
    });
  }

  property(name: string): Shape | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name);
    if (!this.names?.has(name)) return this.#otherProperties();
    const shape = this.shapeOf(this.schemas.flatMap(({ properties }) => properties?.[name] ?? []));
    this.#properties.set(name, shape);
    return shape;
  }

  #otherProperties(): Shape | undefined {
    if (this.#others === null)
      this.#others = this.shapeOf(
        this.schemas.flatMap(({ additionalProperties: other }) => (isObject(other) ? [other] : [])),
      );
    return this.#others;
  }

  items(): Shape | undefined {
    if (this.#items === null) this.#items = this.shapeOf(this.schemas.flatMap(({ items }) => items ?? []));
    return this.#items;
  }

  below(): Shape[] {
    const properties = [...(this.names ?? [])].map((name) => this.property(name));
    return [...properties, this.items(), this.#otherProperties()].filter((shape) => shape !== undefined);
  }
}

class Shapes {
  readonly #made = new Map<string, Shape>();
  readonly #numbers = new Map<Schema, number>();

  constructor(private readonly index: SchemaIndex) {}

  /** Returns the shape of values that fit all of these schemas, or `undefined` without any. */
  of(given: readonly Schema[]): Shape | undefined {
    const schemas = [...new Set(given.flatMap((schema) => this.#parts(schema)))];
    if (schemas.length === 0) return undefined;
    const key = schemas.map((schema) => this.#number(schema)).join();
    return keptIn(this.#made, key, () => {
      const stated = schemas.flatMap((schema) => this.#statedBy(schema));
      return new Shape(schemas, stated, (below) => this.of(below));
    });
  }

  requirementsBelow(shape: Shape, seen = new Set<Shape>()): string[] {
    if (seen.has(shape)) return [];
    seen.add(shape);
    return [...shape.requirements, ...shape.below().flatMap((child) => this.requirementsBelow(child, seen))];
  }

  #parts(schema: Schema): Schema[] {
    const target = this.index.resolve(schema);
    if (target !== schema) return this.#parts(target);
    return [...(schema.allOf ?? []).flatMap((part) => this.#parts(part)), schema];
  }

  #number(schema: Schema): number {
    return keptIn(this.#numbers, schema, () => this.#numbers.size);
  }

  #statedBy(schema: Schema): Stated[] {
    const { required = [], properties = {}, "x-expected": expected } = schema;
    const by = (keyword: Keyword, property?: string): Stated => ({
      keyword,
      requirement: this.index.requirement(schema, keyword, property),
    });
    const alone = KEYWORD_NAMES.filter((keyword) => keyword !== "required" && isStated(schema, keyword));
    // A forbidden property has no value, so its requirement is judged at the object.
    const forbidden = Object.values(properties).filter(({ not }) => not && Object.keys(not).length === 0);
    return [
      ...alone.map((keyword) => by(keyword)),
      ...required.map((name) => by("required", name)),
      ...(expected ? [by("expected")] : []),
      ...forbidden.map(
        (child): Stated => ({
          keyword: "required",
          requirement: this.index.requirement(child, "not"),
        }),
      ),
    ];
  }
}

function isStated(schema: Schema, keyword: Keyword): boolean {
  if (!Object.hasOwn(schema, keyword)) return false;
  // `items` and schemas of additional properties are judged at the values inside, not here.
  return keyword !== "items" && (keyword !== "additionalProperties" || schema.additionalProperties === false);
}

/** Visits the value and its parts with their shapes. */
export function walkShape(
  shape: Shape,
  value: unknown,
  visit: (at: Visited) => void,
  pointer = "",
  parent?: unknown,
): void {
  const exercised = shape.exercisedBy(value);
  visit({ shape, value, pointer, parent, exercised });
  if (exercised === null) return;
  if (Array.isArray(value)) {
    const items = shape.items();
    if (!items) return;
    for (const [index, item] of value.entries())
      walkShape(items, item, visit, appendPointer(pointer, index), value);
  } else if (isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      const below = shape.property(name);
      if (below) walkShape(below, child, visit, appendPointer(pointer, name), value);
    }
  }
}

export const shapesOf = memoized((schemas: SchemaIndex) => new Shapes(schemas));
