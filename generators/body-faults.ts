import { appendPointer, isObject, type JsonObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { KEYWORD_NAMES, mostTelling } from "../spec/schema/keywords.ts";
import { containedCount, leastElements } from "../spec/schema.ts";
import { type Constraint, KEYWORD_FAULTS } from "./keyword-faults.ts";
import { firstOfEachSchema } from "./map-names.ts";
import {
  arrayOfLength,
  formsOf,
  isWithinItself,
  mapOfEachKind,
  sourceWithin,
  type ValueSource,
  validValue,
} from "./values.ts";

export interface BodyFault {
  pointer: string;
  constraint: Constraint;
  within?: string;
  /** True if the value is nearly valid, so that only a lenient service accepts it. */
  isNearMiss?: true;
  breaking(body: JsonObject): JsonObject;
  twin?(body: JsonObject): JsonObject;
}

interface ValueFault extends Pick<BodyFault, "pointer" | "constraint" | "within" | "isNearMiss"> {
  change(valid: unknown): unknown;
  near?(valid: unknown): unknown;
}

/** Returns changes of a valid body, in all fields or in the given one. Each breaks one rule, at any depth. */
export function bodyViolations(schema: Schema, source: ValueSource, field?: string): BodyFault[] {
  const flat = source.schemas.flatten(schema);
  const asObject = (change: (valid: unknown) => unknown) => (body: JsonObject) => change(body) as JsonObject;
  const ofChoice = (["oneOf", "anyOf"] as const)
    .flatMap((choice) => ownFaults(choice, flat, source))
    .filter(({ change }) => isObject(change(validValue(flat, source))));
  // Faults of the whole body, such as malformed JSON, are in whole-bodies.ts.
  const found = [...objectFaults(flat, source, field), ...branchFaults(flat, source), ...ofChoice];
  return found.map(({ change, near, ...fault }) => ({
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
/** A value that breaks one of these constraints breaks `enum`, too. */
const OF_LISTED: readonly string[] = ["type", "null", "enum", "const"];

/** Returns every way to break one rule of the schema, or of its properties, members, elements and forms. */
function valueFaults(schema: Schema, source: ValueSource): ValueFault[] {
  const flat = source.schemas.flatten(schema);
  const isListed = flat.enum !== undefined || flat.const !== undefined;
  const own = CONSTRAINTS.filter((constraint) => !OF_OBJECTS.includes(constraint)).filter(
    (constraint) => !isListed || OF_LISTED.includes(constraint),
  );
  const found = own.flatMap((constraint) => ownFaults(constraint, flat, source));
  if (isListed) return found;
  return [
    ...found,
    ...tupleFaults(flat, source),
    ...elementFaults(flat, source),
    ...objectFaults(flat, source),
    ...branchFaults(flat, source),
  ];
}

function ownFaults(constraint: Constraint, schema: Schema, source: ValueSource): ValueFault[] {
  return KEYWORD_FAULTS[constraint](schema, source).map(({ change, near, property, ...rest }) => ({
    ...rest,
    pointer: property === undefined ? "" : appendPointer("", property),
    constraint,
    change,
    ...(near === undefined ? {} : { near: () => near }),
  }));
}

/** Returns the ways to break the names of an object, and its properties or the given one. */
function objectFaults(schema: Schema, source: ValueSource, only?: string): ValueFault[] {
  const inner = sourceWithin(source, schema);
  const whole = (valid: unknown) => (isObject(valid) ? valid : (validValue(schema, source) as JsonObject));
  const ofNames = OF_OBJECTS.flatMap((constraint) => ownFaults(constraint as Constraint, schema, source));
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    if ((only !== undefined && name !== only) || isWithinItself(inner, child)) return [];
    const put = (change: (valid: unknown) => unknown) => (valid: unknown) => {
      const object = whole(valid);
      const value = Object.hasOwn(object, name) ? object[name] : validValue(child, inner);
      return { ...object, [name]: change(value) };
    };
    return valueFaults(child, inner).map((fault) => faultInMember(name, fault, put));
  });
  return [
    ...ofNames.map((fault) => faultInMember(undefined, fault, (change) => (valid) => change(whole(valid)))),
    ...ofProperties,
    ...mapFaults(schema, source),
  ];
}

/** Returns the ways to break one value of a map, and one under each of its patterns (`patternProperties`). */
function mapFaults(schema: Schema, source: ValueSource): ValueFault[] {
  const map = mapOfEachKind(schema, source);
  const own = (valid: unknown) => (schema.properties && isObject(valid) ? { ...valid, ...map } : map);
  return firstOfEachSchema(schema, map).flatMap(([name, member]) => {
    if (isWithinItself(source, member)) return [];
    const put = (change: (valid: unknown) => unknown) => (valid: unknown) => ({
      ...own(valid),
      [name]: change(map[name]),
    });
    return valueFaults(member, source).map((fault) => withinParent(faultInMember(name, fault, put)));
  });
}

/** Returns the ways to break each element that has a schema of its own (`prefixItems`). */
function tupleFaults(schema: Schema, source: ValueSource): ValueFault[] {
  const { prefixItems = [] } = schema;
  const tuple = arrayOfLength(schema, Math.max(leastElements(schema), prefixItems.length), source);
  if (!tuple) return [];
  return prefixItems.flatMap((own, at) => {
    if (isWithinItself(source, own)) return [];
    return valueFaults(own, source).map((fault) => faultInElement(tuple, at, fault));
  });
}

/** Returns the ways to break an element of a list, which take turns between the first and the last one. */
function elementFaults(schema: Schema, source: ValueSource): ValueFault[] {
  const { items, prefixItems: { length: first } = [] } = schema;
  // The list ends with the elements that `contains` asks for.
  const contained = containedCount(schema);
  const least = first + 1 + contained;
  const { maxItems: most = least + 1 } = schema;
  if (!isObject(items) || isWithinItself(source, items) || most < least) return [];
  const unknown = Array.from({ length: least }, () => undefined);
  const shortest = arrayOfLength(schema, Math.max(leastElements(schema), least), source) ?? unknown;
  const longer =
    arrayOfLength(schema, Math.max(shortest.length, Math.min(least + 1, most)), source) ?? unknown;
  return valueFaults(items, source).map((fault, index) => {
    // A service may check only the first element, so wrong types also follow a valid one.
    const isLast = isOfType(fault) && index % 2 === 1;
    const list = isLast ? longer : shortest;
    return faultInElement(list, isLast ? list.length - 1 - contained : first, fault);
  });
}

function faultInElement(list: readonly unknown[], at: number, fault: ValueFault): ValueFault {
  const put = (change: (valid: unknown) => unknown) => () => list.with(at, change(list[at]));
  return withinParent(faultInMember(String(at), fault, put));
}

/** Returns the faults in the forms of a union that no other form has, so that each is wrong in its own form only. */
function branchFaults(schema: Schema, source: ValueSource): ValueFault[] {
  const { oneOf: _, anyOf: __, ...rest } = schema;
  const inner = sourceWithin(source, schema);
  return formsOf(schema, source).flatMap((form, index) => {
    const valid = validValue(schema, source, index);
    if (valid === undefined || source.schemas.validate(form, valid).length > 0) return [];
    const common = new Set(valueFaults(rest, source).map(ruleOf));
    return valueFaults(form, inner)
      .filter((fault) => !common.has(ruleOf(fault)) && isOnly(schema, fault, fault.change(valid), source))
      .map(({ change, near, ...fault }) => ({
        ...fault,
        change: () => change(valid),
        ...(near ? { near: () => near(valid) } : {}),
      }));
  });
}

function ruleOf({ pointer, constraint }: ValueFault): string {
  return `${pointer} ${constraint}`;
}

/** Returns the fault moved from a member to the value that holds the member. */
function faultInMember(
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

/** Returns the fault as one of its list or map if an element or member has a wrong type. */
function withinParent(fault: ValueFault): ValueFault {
  const isOwn = fault.pointer.lastIndexOf("/") === 0;
  return isOwn && isOfType(fault) ? { ...fault, within: "" } : fault;
}

function isOfType({ constraint }: ValueFault): boolean {
  return constraint === "type" || constraint === "null";
}

/** True if the changed body breaks this rule of the schema and no other. */
export function isConfirmed(
  violation: BodyFault,
  body: JsonObject,
  schema: Schema,
  source: ValueSource,
): boolean {
  const isValid = source.schemas.validate(schema, body).length === 0;
  return isValid && isOnly(schema, violation, violation.breaking(body), source);
}

/** True if the value is wrong only here, and breaks no more important constraint. */
function isOnly(
  schema: Schema,
  { pointer, constraint }: Pick<BodyFault, "pointer" | "constraint">,
  value: unknown,
  source: ValueSource,
): boolean {
  const faults = source.schemas.validate(schema, value);
  const isThere = faults.length > 0 && faults.every((fault) => fault.pointer === pointer);
  return isThere && mostTelling(faults.map(({ keyword }) => keyword)) === constraint;
}
