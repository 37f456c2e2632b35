/** Bodies that break exactly one rule, at any depth. Each is validated before it is sent. */

import { appendPointer, isObject, type JsonObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { KEYWORD_NAMES, mostTelling } from "../spec/schema/keywords.ts";
import { type Constraint, KEYWORD_FAULTS } from "./keyword-faults.ts";
import {
  arrayOfLength,
  formsOf,
  isWithinItself,
  mapOfSize,
  type Supply,
  suppliedWithin,
  validValue,
} from "./values.ts";

export interface BodyFault {
  pointer: string;
  constraint: Constraint;
  what: string;
  within?: string;
  breaking(body: JsonObject): JsonObject;
  /** The valid twin, if it is not the valid body itself. */
  twin?(body: JsonObject): JsonObject;
}

interface ValueFault extends Pick<BodyFault, "pointer" | "constraint" | "what" | "within"> {
  change(valid: unknown): unknown;
  near?(valid: unknown): unknown;
}

export function bodyViolations(schema: Schema, supply: Supply): BodyFault[] {
  const flat = supply.schemas.flatten(schema);
  const asObject = (change: (valid: unknown) => unknown) => (body: JsonObject) => change(body) as JsonObject;
  // Faults of the whole body are tested elsewhere.
  return [...objectFaults(flat, supply), ...branchFaults(flat, supply)].map(({ change, near, ...fault }) => ({
    ...fault,
    breaking: asObject(change),
    ...(near ? { twin: asObject(near) } : {}),
  }));
}

const OF_OBJECTS: readonly string[] = [
  "required",
  "minProperties",
  "maxProperties",
  "additionalProperties",
  "propertyNames",
  "dependentRequired",
];
const CONSTRAINTS = KEYWORD_NAMES.filter((keyword): keyword is Constraint => keyword in KEYWORD_FAULTS);
/** An enumerated value's other rules can't be broken alone. */
const OF_LISTED: readonly string[] = ["type", "null", "enum", "const"];

function valueFaults(schema: Schema, supply: Supply): ValueFault[] {
  const flat = supply.schemas.flatten(schema);
  const isListed = flat.enum !== undefined || flat.const !== undefined;
  const own = CONSTRAINTS.filter((constraint) => !OF_OBJECTS.includes(constraint)).filter(
    (constraint) => !isListed || OF_LISTED.includes(constraint),
  );
  const found = own.flatMap((constraint) => ownFaults(constraint, flat, supply));
  if (isListed) return found;
  return [
    ...found,
    ...elementFaults(flat, supply),
    ...objectFaults(flat, supply),
    ...branchFaults(flat, supply),
  ];
}

function ownFaults(constraint: Constraint, schema: Schema, supply: Supply): ValueFault[] {
  return KEYWORD_FAULTS[constraint](schema, supply).map(({ what, change, near, property }) => ({
    pointer: property === undefined ? "" : appendPointer("", property),
    constraint,
    what,
    change,
    ...(near === undefined ? {} : { near: () => near }),
  }));
}

function objectFaults(schema: Schema, supply: Supply): ValueFault[] {
  const inner = suppliedWithin(supply, schema);
  const whole = (valid: unknown) => (isObject(valid) ? valid : (validValue(schema, supply) as JsonObject));
  const ofNames = OF_OBJECTS.flatMap((constraint) => ownFaults(constraint as Constraint, schema, supply));
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    if (isWithinItself(inner, child)) return [];
    const put = (change: (valid: unknown) => unknown) => (valid: unknown) => {
      const object = whole(valid);
      const value = Object.hasOwn(object, name) ? object[name] : validValue(child, inner);
      return { ...object, [name]: change(value) };
    };
    return valueFaults(child, inner).map((fault) => below(name, fault, put));
  });
  return [
    ...ofNames.map((fault) => below(undefined, fault, (change) => (valid) => change(whole(valid)))),
    ...ofProperties,
    ...mapFaults(schema, supply),
  ];
}

function mapFaults(schema: Schema, supply: Supply): ValueFault[] {
  const { additionalProperties: values, minProperties = 1 } = schema;
  if (!isObject(values) || isWithinItself(supply, values)) return [];
  const map = mapOfSize(schema, Math.max(minProperties, 1), supply);
  const [name] = Object.keys(map);
  if (name === undefined) return [];
  const own = (valid: unknown) => (schema.properties && isObject(valid) ? { ...valid, ...map } : map);
  const put = (change: (valid: unknown) => unknown) => (valid: unknown) => ({
    ...own(valid),
    [name]: change(map[name]),
  });
  return valueFaults(values, supply).map((fault) => triedWith(below(name, fault, put), "a value"));
}

function elementFaults(schema: Schema, supply: Supply): ValueFault[] {
  const { items, minItems = 0 } = schema;
  if (!items || isWithinItself(supply, items)) return [];
  const [first, ...others] = arrayOfLength(schema, Math.max(minItems, 1), supply) ?? [undefined];
  const put = (change: (valid: unknown) => unknown) => () => [change(first), ...others];
  return valueFaults(items, supply).map((fault) => triedWith(below("0", fault, put), "an element"));
}

function branchFaults(schema: Schema, supply: Supply): ValueFault[] {
  const { oneOf: _, anyOf: __, ...rest } = schema;
  const inner = suppliedWithin(supply, schema);
  return formsOf(schema, supply).flatMap((form, index) => {
    const valid = validValue(schema, supply, index);
    if (valid === undefined || supply.schemas.validate(form, valid).length > 0) return [];
    const common = new Set(valueFaults(rest, supply).map(ruleOf));
    return valueFaults(form, inner)
      .filter((fault) => !common.has(ruleOf(fault)) && isOnly(schema, fault, fault.change(valid), supply))
      .map((fault) => ({ ...fault, change: () => fault.change(valid) }));
  });
}

function ruleOf({ pointer, constraint }: ValueFault): string {
  return `${pointer} ${constraint}`;
}

function below(
  name: string | undefined,
  { pointer, within, change, near, ...fault }: ValueFault,
  put: (change: (valid: unknown) => unknown) => (valid: unknown) => unknown,
): ValueFault {
  const path = name === undefined ? "" : appendPointer("", name);
  return {
    ...fault,
    pointer: `${path}${pointer}`,
    ...(within === undefined ? {} : { within: `${path}${within}` }),
    change: put(change),
    ...(near ? { near: put(near) } : {}),
  };
}

/** Reports a wrong type of a part at the list or map around it. */
function triedWith(fault: ValueFault, part: string): ValueFault {
  const isOwn = fault.pointer.lastIndexOf("/") === 0;
  if (!isOwn || (fault.constraint !== "type" && fault.constraint !== "null")) return fault;
  return { ...fault, within: "", what: `${part} ${fault.what}` };
}

export function isConfirmed(violation: BodyFault, body: JsonObject, schema: Schema, supply: Supply): boolean {
  const isValid = supply.schemas.validate(schema, body).length === 0;
  return isValid && isOnly(schema, violation, violation.breaking(body), supply);
}

/** True if only this constraint is broken, or it takes precedence at its place. */
function isOnly(
  schema: Schema,
  { pointer, constraint }: Pick<BodyFault, "pointer" | "constraint">,
  value: unknown,
  supply: Supply,
): boolean {
  const faults = supply.schemas.validate(schema, value);
  const isThere = faults.length > 0 && faults.every((fault) => fault.pointer === pointer);
  return isThere && mostTelling(faults.map(({ keyword }) => keyword)) === constraint;
}
