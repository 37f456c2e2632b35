import { appendPointer, isObject, pointerTokens, valueAt } from "./json.ts";
import { keptIn } from "./memoized.ts";
import type { RequirementMap, Schema } from "./model/schema.ts";
import { comparesWithNow } from "./schema/relations.ts";
import { type SchemaFault, Validator } from "./schema/validator.ts";
import { childSchemas, elementSchema, memberSchema, mergeSchemas, typesOf } from "./schema.ts";

export interface Visit {
  schema: Schema;
  value: unknown;
  pointer: string;
}

const FALLBACK: RequirementMap = {
  fields: "RESOURCE-FIELDS",
  required: "RESOURCE-PRESENT",
  expected: "RESOURCE-EXPECTED",
};

/** The schema of a field that is not documented. It allows any value. */
export const UNDOCUMENTED: Schema = {};

const MASK = /([^A-Za-z0-9]|x)\1{2,}/giu;

export class SchemaIndex {
  readonly #pointers = new Map<Schema, string>();
  readonly #requirements = new Map<Schema, RequirementMap>();
  readonly #resolved = new Map<Schema, Schema>();
  readonly #flat = new Map<Schema, Schema>();
  readonly #properties = new Map<Schema, Record<string, Schema>>();
  readonly #chosen = new Map<Schema, Map<number, Schema>>();
  readonly #secretive = new Map<Schema, boolean>();
  readonly #hiding = new Map<Schema, boolean>();
  readonly #timed = new Map<Schema, boolean>();
  readonly #validator: Validator;

  constructor(
    private readonly document: unknown,
    roots: Iterable<string>,
  ) {
    for (const pointer of roots) {
      const schema = valueAt(document, pointer);
      if (isObject(schema)) this.#register(schema, pointer, FALLBACK);
    }
    this.#validator = new Validator(document, this);
  }

  #register(schema: Schema, pointer: string, inherited: RequirementMap): void {
    if (this.#pointers.has(schema)) return;
    // Inner schemas inherit only `fields`, `required` and `expected`.
    const own = { ...inherited, ...schema["x-requirements"] };
    this.#pointers.set(schema, pointer);
    this.#requirements.set(schema, own);
    const handedDown = Object.fromEntries(
      ["fields", "required", "expected"].map((key) => [key, own[key] ?? FALLBACK[key] ?? ""]),
    );
    for (const [steps, child] of childSchemas(schema)) {
      this.#register(child, steps.reduce(appendPointer, pointer), handedDown);
    }
  }

  all(): Iterable<Schema> {
    return this.#pointers.keys();
  }

  /** Returns the place of the schema in the document, as a JSON pointer. */
  pointerOf(schema: Schema): string | undefined {
    return this.#pointers.get(schema);
  }

  /** Follows `$ref`. Schemas of `components` may refer to others. */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    return keptIn(this.#resolved, schema, () => {
      let current = schema;
      for (let steps = 0; current.$ref !== undefined && steps < 32; steps++) {
        const target = valueAt(this.document, current.$ref.replace(/^#/, ""));
        if (!isObject(target)) break;
        current = target;
      }
      return current;
    });
  }

  /** True if the schema or a part of it is secret, so that answers may mask it. */
  holdsSecret(schema: Schema): boolean {
    return this.#holds(schema, this.#secretive, (part) => part["x-secret"] === true);
  }

  /** True if the history hides the value or a part of it. */
  hides(schema: Schema): boolean {
    return this.#holds(schema, this.#hiding, (part) => (part["x-secret"] ?? part["x-hidden"]) === true);
  }

  /** True if `validate` may depend on the time. */
  isTimed(schema: Schema): boolean {
    return this.#holds(schema, this.#timed, (part) => part["x-relations"]?.some(comparesWithNow) ?? false);
  }

  #holds(schema: Schema, answers: Map<Schema, boolean>, fits: (part: Schema) => boolean): boolean {
    const seen = new Set<Schema>();
    const visit = (part: Schema): boolean => {
      const target = this.resolve(part);
      if (seen.has(target)) return false;
      seen.add(target);
      return fits(target) || [...childSchemas(target)].some(([, child]) => visit(child));
    };
    return keptIn(answers, schema, () => visit(schema));
  }

  /** Returns `Webhook` for `#/components/schemas/Webhook`, and undefined for a schema without a name. */
  componentName(schema: Schema): string | undefined {
    const pointer = this.#pointers.get(this.resolve(schema)) ?? "";
    const [first, second, name, ...rest] = pointerTokens(pointer);
    return first === "components" && second === "schemas" && rest.length === 0 ? name : undefined;
  }

  /** Resolves the reference and merges allOf, but not in properties. Without a schema, returns `UNDOCUMENTED`. */
  flatten(schema: Schema = UNDOCUMENTED): Schema {
    const resolved = this.resolve(schema);
    if (!resolved.allOf) return resolved;
    const { allOf, ...own } = resolved;
    return keptIn(this.#flat, resolved, () =>
      [...allOf.map((part) => this.flatten(part)), own].reduce<Schema>(mergeSchemas, {}),
    );
  }

  /** Returns the properties of the schema and of all its branches. */
  properties(schema: Schema): Readonly<Record<string, Schema>> {
    const flat = this.flatten(schema);
    if (!flat.oneOf && !flat.anyOf) return flat.properties ?? {};
    const known = this.#properties.get(flat);
    if (known) return known;
    const all: Record<string, Schema> = { ...flat.properties };
    // A branch may contain the schema itself.
    this.#properties.set(flat, all);
    for (const branch of [...(flat.oneOf ?? []), ...(flat.anyOf ?? [])])
      for (const [name, child] of Object.entries(this.properties(branch))) {
        const other = all[name];
        all[name] = other === undefined || other === child ? child : { anyOf: [other, child] };
      }
    return all;
  }

  /** Returns the properties of an object, each flat. */
  fields(schema?: Schema): [name: string, field: Schema][] {
    return Object.entries(this.flatten(schema).properties ?? {}).map(([name, child]) => [
      name,
      this.flatten(child),
    ]);
  }

  fieldNames(schema?: Schema): string[] {
    return Object.keys(this.flatten(schema).properties ?? {});
  }

  /** Returns the schema of the field, or `UNDOCUMENTED`. */
  field(schema: Schema | undefined, name: string): Schema {
    return this.flatten(this.flatten(schema).properties?.[name]);
  }

  required(schema?: Schema): string[] {
    return this.flatten(schema).required ?? [];
  }

  /** Returns the schema with one of its branches merged in: of n branches (without null) the one at `choice` modulo n. */
  chosen(schema: Schema, choice: number): Schema {
    const flat = this.flatten(schema);
    const options = (flat.oneOf ?? flat.anyOf ?? []).filter((option) => this.flatten(option).type !== "null");
    const option = options[choice % (options.length || 1)];
    if (!option) return flat;
    const { oneOf, anyOf, ...rest } = flat;
    const known = keptIn(this.#chosen, flat, () => new Map<number, Schema>());
    return keptIn(known, choice, () => this.chosen(mergeSchemas(rest, this.flatten(option)), choice));
  }

  /** Returns the schema of the value at the JSON pointer, or undefined if it is not documented. */
  at(schema: Schema | undefined, pointer: string): Schema | undefined {
    let current: Schema | undefined = schema;
    for (const token of pointerTokens(pointer)) {
      const flat = this.flatten(current);
      const types = typesOf(flat);
      const isElement = (types.includes("array") || types.length === 0) && /^(\d+|\*)$/.test(token);
      const element = isElement ? elementSchema(flat, token === "*" ? Number.NaN : Number(token)) : undefined;
      current = element ?? memberSchema(flat, token);
      if (!current) return undefined;
    }
    return this.flatten(current);
  }

  /** Returns the id of the requirement that a value breaks if it breaks this keyword of the schema. */
  requirement(schema: Schema, keyword: string, property?: string): string {
    const child = property === undefined ? undefined : this.flatten(schema).properties?.[property];
    const own = child && keyword === "required" && this.ownRequirement(child, "required");
    if (own) return own;
    const map = this.#requirements.get(schema) ?? this.#requirements.get(this.resolve(schema)) ?? FALLBACK;
    const general = keyword === "required" || keyword === "expected" ? keyword : "fields";
    return map[keyword] ?? map[general] ?? FALLBACK.fields ?? "";
  }

  /** Returns the requirement that the schema itself names for the keyword. */
  ownRequirement(schema: Schema, keyword: string): string | undefined {
    const own = schema["x-requirements"]?.[keyword];
    // The referring schema says if a value must be present, not the component.
    return own ?? (keyword === "required" ? undefined : this.resolve(schema)["x-requirements"]?.[keyword]);
  }

  /** Returns the faults of the value, or an empty list. `now` is in milliseconds since 1970. */
  validate(schema: Schema, value: unknown, now?: number): SchemaFault[] {
    return this.#validator.faults(schema, value, now);
  }

  /** Returns the value without undocumented fields, and with masks cut to one length. */
  documented(schema: Schema, value: unknown): unknown {
    const flat = this.flatten(schema);
    if (flat["x-secret"] && typeof value === "string") return value.replace(MASK, "$1$1$1");
    if (Array.isArray(value)) {
      const { items } = flat;
      return items ? value.map((item) => this.documented(items, item)) : value;
    }
    const properties = Object.entries(this.properties(flat));
    if (!isObject(value) || properties.length === 0) return value;
    const shown = properties.filter(([name]) => Object.hasOwn(value, name));
    return Object.fromEntries(shown.map(([name, child]) => [name, this.documented(child, value[name])]));
  }

  /** Visits the value and all its documented parts, with their flat schemas. */
  walk(schema: Schema, value: unknown, visit: (node: Visit) => void, pointer = ""): void {
    const flat = this.flatten(schema);
    visit({ schema: flat, value, pointer });
    if (Array.isArray(value)) {
      const items = flat.items;
      if (items)
        value.forEach((item, index) => {
          this.walk(items, item, visit, appendPointer(pointer, index));
        });
    } else if (isObject(value)) {
      for (const [name, child] of Object.entries(flat.properties ?? {})) {
        if (Object.hasOwn(value, name)) this.walk(child, value[name], visit, appendPointer(pointer, name));
      }
    }
  }
}
