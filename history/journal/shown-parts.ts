import { identityOf, isRounded } from "../../spec/identity.ts";
import { appendPointer, isObject, type JsonObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { type Shape, shapesOf, type Visited, walkShape } from "../../spec/schema/shape.ts";
import type { Answer } from "../answers/answers.ts";
import { isInvented } from "../creates/invented-names.ts";
import type { Body } from "../entry.ts";

interface OpenValue {
  requirement: string;
  schema: Schema;
  value: unknown;
  pointer: string;
}

export interface UniqueValue {
  requirement: string;
  value: unknown;
  pointer: string;
  id: string;
}

export interface ShownParts {
  exercised: ReadonlySet<string>;
  fields: ReadonlyMap<string, { seen: number; null: number }>;
  documented: ReadonlySet<string>;
  extra: ReadonlySet<string>;
  resources: ReadonlySet<string>;
  open: readonly OpenValue[];
  unique: readonly UniqueValue[];
}

const NOTHING: ShownParts = {
  exercised: new Set(),
  fields: new Map(),
  documented: new Set(),
  extra: new Set(),
  resources: new Set(),
  open: [],
  unique: [],
};

function shapeOf({ schemas }: Spec, { response }: Operation): Shape | undefined {
  return response && shapesOf(schemas).of([response]);
}

/** Returns the requirements that an answer can break by its shape. */
export function shapeRequirements(spec: Spec, operation: Operation): string[] {
  const shape = shapeOf(spec, operation);
  return shape ? shapesOf(spec.schemas).requirementsBelow(shape) : [];
}

/** Returns which documented and other fields an answer shows, and which requirements it tested. */
export function shownParts(spec: Spec, answer: Answer): ShownParts {
  const { response } = answer.entry;
  return answer.isJudged && "body" in response ? partsIn(response.body, { spec, answer }) : NOTHING;
}

const partsIn = memoized(
  (_: Body, { spec, answer: { operation, json } }: { spec: Spec; answer: Answer }): ShownParts => {
    const shape = shapeOf(spec, operation);
    if (!shape) return NOTHING;
    const parts = new Parts(spec, operation);
    walkShape(shape, json, (at) => parts.visit(at));
    return parts;
  },
  ({ answer }) => answer.operation,
);

class Parts implements ShownParts {
  readonly exercised = new Set<string>();
  readonly fields = new Map<string, { seen: number; null: number }>();
  readonly documented = new Set<string>();
  readonly extra = new Set<string>();
  readonly resources = new Set<string>();
  readonly open: OpenValue[] = [];
  readonly unique: UniqueValue[] = [];
  readonly #resource: Schema | undefined;
  readonly #identity: string;

  constructor(
    private readonly spec: Spec,
    private readonly operation: Operation,
  ) {
    const { resource } = operation;
    this.#resource = resource && spec.schemas.resolve(resource);
    this.#identity = identityOf(spec, operation);
  }

  /** Notes what one part of the answer shows. */
  visit({ shape, value, pointer, parent, exercised }: Visited): void {
    for (const requirement of exercised ?? []) this.exercised.add(requirement);
    if (isObject(value)) this.#seeFields(shape, value, pointer);
    for (const schema of shape.schemas) {
      const { "x-unique": unique, "x-observe": observe } = schema;
      const id = isObject(parent) ? parent[this.#identity] : undefined;
      const isExact = typeof value === "number" ? !isRounded(value) : typeof value === "string";
      if (unique?.requirement && isExact && id !== undefined)
        this.unique.push({ requirement: unique.requirement, value, pointer, id: String(id) });
      if (observe && value !== null && !isObject(value) && !isInvented(value))
        this.open.push({ requirement: observe, schema, value, pointer });
    }
  }

  #seeFields(shape: Shape, value: JsonObject, pointer: string): void {
    const { names } = shape;
    if (!names) return;
    const isResource = this.#resource !== undefined && shape.schemas.includes(this.#resource);
    if (isResource) this.resources.add(String(value[this.#identity]));
    for (const name of Object.keys(value)) {
      if (!names.has(name)) {
        this.extra.add(anyItem(appendPointer(pointer, name)));
        continue;
      }
      if (isResource) this.documented.add(name);
      const label = this.#label(shape, name, pointer);
      const count = this.fields.get(label) ?? { seen: 0, null: 0 };
      this.fields.set(label, count);
      count.seen++;
      if (value[name] === null) count.null++;
    }
  }

  #label(shape: Shape, name: string, pointer: string): string {
    const component = componentOf(shape, this.spec);
    return component === undefined
      ? `${this.operation.key} ${anyItem(appendPointer(pointer, name))}`
      : `${component} /${name}`;
  }
}

const componentOf = memoized(({ schemas: own }: Shape, { schemas }: Spec): string | undefined =>
  own.map((schema) => schemas.componentName(schema)).findLast((each) => each !== undefined),
);

function anyItem(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
