import { groupedBy } from "../../spec/grouped.ts";
import { isObject, pointerTokens, valueAt } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { DifferenceKind, OfKind } from "../../spec/model/difference.ts";
import type { Schema } from "../../spec/model/schema.ts";
import type { SchemaFault } from "../../spec/schema/validator.ts";
import type { SchemaIndex } from "../../spec/schema-index.ts";
import { type Body, dateOf, type Entry, endOf, isAccepted, responseJson } from "../entry.ts";
import type { Answer } from "./answers.ts";

export interface AnswerFault extends OfKind {
  expected: string;
  actual: string;
  offending?: string;
  nulls?: readonly string[];
}

export interface ShapeFault extends AnswerFault {
  requirement: string;
  offending: string;
}

/** Returns breaches of the schema, but after a faulty write none in `result`. */
export function shapeFaults(schemas: SchemaIndex, answer: Answer): ShapeFault[] {
  const { entry, isSuccess, isJudged, json } = answer;
  if (!isSuccess || json === undefined) return [];
  const faults = faultsOf(entry, schemas);
  return isJudged ? faults : faults.filter(({ offending }) => !offending.startsWith("/result"));
}

/** Returns the places with values of a wrong type. Rules about fields skip them: one cause is one finding. */
export const unusablePlaces = memoized((entry: Entry, schemas: SchemaIndex): ReadonlySet<string> => {
  const faults = isAccepted(entry) ? schemaFaults(entry, schemas) : [];
  return new Set(faults.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer));
});

const schemaFaults = memoized((entry: Entry, schemas: SchemaIndex): SchemaFault[] => {
  const { operation, response } = entry;
  const schema = operation?.response;
  if (!schema) return [];
  if (schemas.isTimed(schema) || !("body" in response)) return faultsByBothClocks(entry, schema, schemas);
  return untimedFaults(response.body, { entry, schema, schemas });
});

/** Returns the faults of the answer. Entries with equal bodies share the faults that don't depend on the time. */
const untimedFaults = memoized(
  (_: Body, { entry, schema, schemas }: { entry: Entry; schema: Schema; schemas: SchemaIndex }) =>
    faultsByBothClocks(entry, schema, schemas),
  ({ schema }) => schema,
);

/** Returns the faults of the answer's shape. A time must be wrong by the clocks of both sides. */
function faultsByBothClocks(entry: Entry, schema: Schema, schemas: SchemaIndex): SchemaFault[] {
  const validateAt = (now: number) => schemas.validate(schema, responseJson(entry), now);
  const faults = validateAt(endOf(entry));
  const date = dateOf(entry);
  if (date === undefined || !faults.some(isOfRelation)) return faults;
  const others = validateAt(date).filter(isOfRelation);
  return faults.filter(
    (fault) =>
      !isOfRelation(fault) ||
      others.some(
        ({ pointer, requirement }) => pointer === fault.pointer && requirement === fault.requirement,
      ),
  );
}

function isOfRelation({ keyword }: SchemaFault): boolean {
  return keyword === "relations";
}

const faultsOf = memoized((entry: Entry, schemas: SchemaIndex): ShapeFault[] => {
  const json = responseJson(entry);
  const faults = schemaFaults(entry, schemas);
  const nulls = nullsByObject(json, faults);
  return faults.flatMap((fault) => {
    const { pointer, keyword, requirement, expected, actual } = fault;
    const names = nulls.get(fault);
    if (names?.length === 0) return [];
    if (names) return [{ requirement, offending: pointer, ...nullsIn(names) }];
    const place = keyword === "relations" ? "" : `${pointer || "the body"}: `;
    return [
      {
        requirement,
        offending: pointer,
        expected: `${place}${expected}`,
        actual,
        ...differenceKindOf(fault, json),
      },
    ];
  });
});

const DIFFERENCE_OF_KEYWORD: Readonly<Partial<Record<SchemaFault["keyword"], DifferenceKind>>> = {
  type: "other-type",
  null: "null",
  required: "missing",
  dependentRequired: "missing",
  expected: "missing",
  additionalProperties: "must-be-absent",
  not: "must-be-absent",
  uniqueItems: "repeated",
  maxLength: "too-many",
  maximum: "too-many",
  maxItems: "too-many",
  maxProperties: "too-many",
  minLength: "too-few",
  minimum: "too-few",
  minItems: "too-few",
  minProperties: "too-few",
};

/** Returns the kind of difference that a fault of a shape is. */
export function differenceKindOf({ keyword, pointer }: SchemaFault, value: unknown): OfKind {
  const difference = DIFFERENCE_OF_KEYWORD[keyword];
  if (keyword === "type" && valueAt(value, pointer) === null) return { difference: "null" };
  return difference === undefined ? {} : { difference };
}

/**
 * Returns the names of forbidden nulls, by the fault that reports them. The nulls of an object are one fault:
 * the first gets all names, the others none.
 */
function nullsByObject(json: unknown, faults: readonly SchemaFault[]): Map<SchemaFault, string[]> {
  const holderOf = ({ pointer }: SchemaFault) => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
  const nulls = faults.filter(
    (fault) => fault.keyword === "null" && fault.pointer !== "" && isObject(valueAt(json, holderOf(fault))),
  );
  const groups = groupedBy(nulls, (fault) => `${holderOf(fault)} ${fault.requirement}`);
  const named = [...groups.values()].flatMap((group) => {
    const names = group.map(({ pointer }) => pointerTokens(pointer).at(-1) ?? "");
    return group.map((fault, index) => [fault, index === 0 ? names : []] as const);
  });
  return new Map(named);
}

/** Returns one fault for all forbidden nulls. */
export function nullsIn(names: readonly string[]): Omit<AnswerFault, "offending"> {
  return {
    expected: "no null where the specification does not allow it",
    actual: `null in ${names.join(", ")}`,
    difference: "null",
    nulls: names,
  };
}
