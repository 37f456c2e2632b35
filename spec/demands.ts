/** What a schema demands of a value, keyword by keyword: whose sentence each is, of which values it speaks, and what breaks it. */

import { isDateTime, isInstantBefore, minorUnits } from "./formats.ts";
import { appendPointer, isObject, jsonType, sameJson, valueAt } from "./json.ts";
import { KEYWORD_DEMANDS } from "./keyword-demands.ts";
import type { Relation, Schema } from "./model/spec.ts";
import { describeValue, typesOf } from "./schema.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** What is wrong with a value. */
export interface Wrong {
  expected: string;
  actual: string;
  /** JSON pointer of what is at fault, within the answer. */
  offending: string;
  /** Set where null stands at a place where the specification does not say so. */
  isNull?: true;
}

/** What comes of looking at a value: undefined where it could not break the demand, null where it keeps it. */
type Looked = Wrong | null | undefined;

/** One thing that a schema demands. */
export interface Demand {
  requirement: string;
  /** The keyword of JSON Schema, or the extension, that demands it. */
  keyword: string;
  look(value: unknown, pointer: string): Looked;
}

/** The demands of one schema by itself: neither of those that it refers to or consists of, nor of what hangs below it. */
export function demandsOf(schemas: SchemaIndex, schema: Schema): Demand[] {
  const byKeyword = Object.entries(KEYWORD_DEMANDS).flatMap(([keyword, make]): Demand[] => {
    const look = make(schema);
    if (!look) return [];
    return [
      {
        requirement: schemas.requirement(schema, keyword),
        keyword,
        look: (value, pointer) => {
          const wrong = look(value);
          return (
            wrong && { ...wrong, expected: `${pointer || "the body"}: ${wrong.expected}`, offending: pointer }
          );
        },
      },
    ];
  });
  return [
    ...byKeyword,
    ...typeDemand(schemas, schema),
    ...presence(schemas, schema),
    ...(schema["x-relations"] ?? []).map(relationDemand),
    ...compound(schemas, schema),
  ];
}

/** Of types; after null was sent, null may be shown where the schema says so (rulings on rows 10 and 11). */
function typeDemand(schemas: SchemaIndex, schema: Schema): Demand[] {
  const types = typesOf(schema);
  if (types.length === 0) return [];
  const allowed = new Set(types);
  if (allowed.has("number")) allowed.add("integer");
  const echoesNull = schema["x-null-echo"] === true;
  const expected = `type ${types.join(" or ")}`;
  const look = (value: unknown, pointer: string): Looked => {
    if (allowed.has(jsonType(value)) || (value === null && echoesNull)) return null;
    return {
      expected: `${pointer || "the body"}: ${expected}`,
      actual: describeValue(value),
      offending: pointer,
      ...(value === null ? { isNull: true as const } : {}),
    };
  };
  return [{ requirement: schemas.requirement(schema, "type"), keyword: "type", look }];
}

/** Fields that must be there, that should be, and that must not be. */
function presence(schemas: SchemaIndex, schema: Schema): Demand[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const field = (
    keyword: string,
    requirement: string,
    name: string,
    due: boolean,
    expected: (at: string) => string,
  ): Demand => ({
    requirement,
    keyword: `${keyword} ${name}`,
    look: (value, pointer) => {
      if (!isObject(value)) return undefined;
      if (Object.hasOwn(value, name) === due) return null;
      const offending = appendPointer(pointer, name);
      return {
        expected: expected(offending),
        actual: due ? "absent" : describeValue(value[name]),
        offending,
      };
    },
  });
  const closed: Demand = {
    requirement: schemas.requirement(schema, "additionalProperties"),
    keyword: "additionalProperties",
    look: (value, pointer) => {
      if (!isObject(value)) return undefined;
      const other = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
      if (other === undefined) return null;
      const offending = appendPointer(pointer, other);
      return { expected: `${offending}: no such field`, actual: describeValue(value[other]), offending };
    },
  };
  return [
    ...required.map((name) => {
      const own = properties[name] && schemas.ownRequirement(properties[name], "required");
      const requirement = own ?? schemas.requirement(schema, "required");
      return field("required", requirement, name, true, (at) => `${at}: the field ${name}`);
    }),
    ...(schema["x-expected"] ?? []).map((name) =>
      field("expected", schemas.requirement(schema, "expected"), name, true, () => `the field ${name}`),
    ),
    ...Object.entries(properties).flatMap(([name, child]) =>
      isForbidden(child)
        ? [field("not", schemas.requirement(child, "not"), name, false, (at) => `${at}: no such field`)]
        : [],
    ),
    ...(additionalProperties === false ? [closed] : []),
  ];
}

/** Whether a schema allows nothing: its property must be absent. */
function isForbidden({ not }: Schema): boolean {
  return not !== undefined && Object.keys(not).length === 0;
}

/** What is put together of other schemas is left to the validator, as a whole. */
function compound(schemas: SchemaIndex, schema: Schema): Demand[] {
  return (["oneOf", "anyOf", "not", "propertyNames"] as const).flatMap((keyword) => {
    if (schema[keyword] === undefined || (keyword === "not" && isForbidden(schema))) return [];
    const alone = { [keyword]: schema[keyword] };
    const look = (value: unknown, pointer: string): Looked => {
      const [fault] = schemas.validate(alone, value);
      const offending = pointer + (fault?.pointer ?? "");
      return fault
        ? { expected: `${offending || "the body"}: ${fault.expected}`, actual: fault.actual, offending }
        : null;
    };
    return [{ requirement: schemas.requirement(schema, keyword), keyword, look }];
  });
}

/** Two fields of one object; where either is absent or null, there is nothing to compare. */
function relationDemand(stated: Relation): Demand {
  const { requirement, relation, fields, when } = stated;
  const [first, second = first] = fields;
  const keyword = `relation ${relation} ${first} ${second} ${JSON.stringify(when?.is) ?? ""}`;
  if (relation === "past" || relation === "to-come")
    return { requirement, keyword, look: (value, pointer) => timeLooked(stated, first, value, pointer) };
  const look = (value: unknown, pointer: string): Looked => {
    if (when && !sameJson(valueAt(value, when.field), when.is)) return undefined;
    const [a, b] = [valueAt(value, first), valueAt(value, second)];
    if (a === undefined || b === undefined || a === null || b === null) return undefined;
    const wrong = (expected: string): Wrong => ({
      expected,
      actual: describeValue(a),
      offending: `${pointer}${first}`,
    });
    if (relation === "equal")
      return sameJson(a, b) ? null : wrong(`${first} equal to ${second} (${describeValue(b)})`);
    if (relation === "not-before") {
      if (typeof a !== "string" || typeof b !== "string" || !isDateTime(a) || !isDateTime(b))
        return undefined;
      return isInstantBefore(a, b) ? wrong(`${first} not before ${second} (${b})`) : null;
    }
    const digits = typeof b === "string" ? minorUnits(b) : undefined;
    if (digits === undefined || typeof a !== "number") return undefined;
    return a === digits ? null : wrong(`${digits} for ${describeValue(b)}`);
  };
  return { requirement, keyword, look };
}

/** A time that is past, or to come, by the clock of this machine and with the room that is stated. */
function timeLooked(
  { relation, when, within = 0 }: Relation,
  field: string,
  value: unknown,
  pointer: string,
): Looked {
  if (when && !sameJson(valueAt(value, when.field), when.is)) return undefined;
  const time = valueAt(value, field);
  if (typeof time !== "string" || !isDateTime(time)) return undefined;
  const edge = new Date(Date.now() + (relation === "past" ? within : -within) * 1000).toISOString();
  const kept = relation === "past" ? !isInstantBefore(edge, time) : !isInstantBefore(time, edge);
  if (kept) return null;
  const state = when ? ` while ${when.field} is ${describeValue(when.is)}` : "";
  return {
    expected: `${field} ${relation === "past" ? "in the past" : "not long past"}${state}`,
    actual: time,
    offending: `${pointer}${field}`,
  };
}
