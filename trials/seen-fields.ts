/** Which fields answers held: documented ones, those that nobody names, and the values of enumerations left open. */

import { appendPointer, type JsonObject } from "../spec/json.ts";
import type { Coverage } from "../spec/model/result.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import type { Shape } from "../spec/schema/shape.ts";

const MOST_VALUES = 20;
/** So many different resources are enough to tell that what none of them holds is not shown. */
const ENOUGH = 10;

/** FieldCounts of the fields of one shape, by name. */
type FieldCounts = Map<string, { seen: number; null: number }>;

export class SeenFields {
  readonly #spec: Spec;
  /** By component and field, or by operation and place where the schema has no name. */
  readonly counts: Coverage["fields"] = {};
  readonly #byShape = new WeakMap<Shape, FieldCounts>();
  readonly #values = new Map<string, Set<string>>();
  readonly #extra = new Map<string, Set<string>>();
  readonly #documented = new Map<string, Set<string>>();
  readonly #resources = new Map<string, Set<string>>();

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  /** Takes note of the fields of an object that an answer shows. */
  fieldsOf(operation: Operation, shape: Shape, value: JsonObject, pointer: string): void {
    const { names } = shape;
    if (!names) return;
    const isResource = operation.resource !== undefined && this.#isResource(operation.resource, shape);
    if (isResource && (this.#resources.get(operation.key)?.size ?? 0) < ENOUGH)
      added(this.#resources, operation.key, String(value[this.#identity(operation)]));
    for (const name of Object.keys(value)) {
      if (!names.has(name)) {
        added(this.#extra, operation.key, anyItem(appendPointer(pointer, name)));
        continue;
      }
      if (isResource) added(this.#documented, operation.key, name);
      const count = this.#count(operation, shape, name, pointer);
      count.seen++;
      if (value[name] === null) count.null++;
    }
  }

  /** Takes note of a value of an enumeration that is left open. */
  value(operation: Operation, requirement: string, value: unknown): void {
    const key = `${operation.key} ${requirement}`;
    if ((this.#values.get(key)?.size ?? 0) < MOST_VALUES) added(this.#values, key, String(value));
  }

  valuesOf(operation: Operation, requirement: string): string[] {
    return [...(this.#values.get(`${operation.key} ${requirement}`) ?? [])].sort();
  }

  extraOf(operation: Operation): string[] {
    return [...(this.#extra.get(operation.key) ?? [])].sort();
  }

  /** Whether an operation showed enough different resources for what none of them held to be left out on purpose. */
  showedEnough({ key }: Operation): boolean {
    return (this.#resources.get(key)?.size ?? 0) >= ENOUGH;
  }

  #identity({ resource }: Operation): string {
    return (resource && this.#spec.schemas.flatten(resource)["x-identity"]) ?? "id";
  }

  /** Documented fields of the operation's resource that no answer of the run held. */
  unseenOf({ key, resource }: Operation): string[] {
    if (!resource) return [];
    const seen = this.#documented.get(key);
    return Object.keys(this.#spec.schemas.flatten(resource).properties ?? {}).filter(
      (name) => !seen?.has(name),
    );
  }

  #isResource(resource: Schema, shape: Shape): boolean {
    const target = this.#spec.schemas.resolve(resource);
    return shape.schemas.includes(target);
  }

  /** The count of a field, found once for each shape: this is asked for every field of every answer. */
  #count(operation: Operation, shape: Shape, name: string, pointer: string): { seen: number; null: number } {
    const counts: FieldCounts = this.#byShape.get(shape) ?? new Map();
    this.#byShape.set(shape, counts);
    const known = counts.get(name);
    if (known) return known;
    const named = shape.schemas.map((schema) => this.#spec.schemas.componentName(schema));
    const component = named.findLast((each) => each !== undefined);
    const label =
      component === undefined
        ? `${operation.key} ${anyItem(appendPointer(pointer, name))}`
        : `${component} /${name}`;
    const count = this.counts[label] ?? { seen: 0, null: 0 };
    this.counts[label] = count;
    counts.set(name, count);
    return count;
  }
}

function added(to: Map<string, Set<string>>, key: string, value: string): void {
  to.set(key, (to.get(key) ?? new Set<string>()).add(value));
}

/** A pointer with every index of a list replaced by `*`. */
function anyItem(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
