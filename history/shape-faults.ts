import { isObject, pointerTokens, valueAt } from "../spec/json.ts";
import type { DifferenceKind, OfKind } from "../spec/model/difference.ts";
import type { SchemaFault } from "../spec/schema/validator.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";
import type { Answer } from "./answers.ts";
import { ByBody } from "./body.ts";
import { dateOf, type Entry, endOf, isAccepted, responseJson } from "./entry.ts";

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

const known = new WeakMap<Entry, ShapeFault[]>();

/** Returns breaches of the schema, but after a faulty write none in `result`. */
export function shapeFaults(schemas: SchemaIndex, answer: Answer): ShapeFault[] {
  const { entry, isSuccess, isJudged, json } = answer;
  if (!isSuccess || json === undefined) return [];
  const faults = known.get(entry) ?? faultsOf(schemas, answer);
  known.set(entry, faults);
  return isJudged ? faults : faults.filter(({ offending }) => !offending.startsWith("/result"));
}

const places = new WeakMap<Entry, ReadonlySet<string>>();

/** Rules about fields skip values of a wrong type, so that one cause is one finding. */
export function unusablePlaces(schemas: SchemaIndex, entry: Entry): ReadonlySet<string> {
  const known = places.get(entry);
  if (known) return known;
  const faults = isAccepted(entry) ? schemaFaults(schemas, entry) : [];
  const found = new Set(faults.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer));
  places.set(entry, found);
  return found;
}

const validated = new WeakMap<Entry, SchemaFault[]>();
const ofBodies = new ByBody<SchemaFault[]>();

function schemaFaults(schemas: SchemaIndex, entry: Entry): SchemaFault[] {
  const { operation } = entry;
  const schema = operation?.response;
  if (!schema) return [];
  const validateAt = (now: number) => schemas.validate(schema, responseJson(entry), now);
  const validate = () => {
    const faults = validateAt(endOf(entry));
    const date = dateOf(entry);
    if (date === undefined || !faults.some(isOfRelation)) return faults;
    // The clock of the service may differ, so a time must be wrong by both clocks.
    const others = validateAt(date).filter(isOfRelation);
    return faults.filter(
      (fault) =>
        !isOfRelation(fault) ||
        others.some(
          ({ pointer, requirement }) => pointer === fault.pointer && requirement === fault.requirement,
        ),
    );
  };
  const find = () => (schemas.isTimed(schema) ? validate() : ofBodies.of(operation, entry, validate));
  const faults = validated.get(entry) ?? find();
  validated.set(entry, faults);
  return faults;
}

function isOfRelation({ keyword }: SchemaFault): boolean {
  return keyword === "relations";
}

function faultsOf(schemas: SchemaIndex, { json, entry }: Answer): ShapeFault[] {
  const faults = schemaFaults(schemas, entry);
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
}

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

export function differenceKindOf({ keyword, pointer }: SchemaFault, value: unknown): OfKind {
  const difference = DIFFERENCE_OF_KEYWORD[keyword];
  if (keyword === "type" && valueAt(value, pointer) === null) return { difference: "null" };
  return difference === undefined ? {} : { difference };
}

/** The nulls of an object are one fault: the first gets all names, the others none. */
function nullsByObject(json: unknown, faults: readonly SchemaFault[]): Map<SchemaFault, string[]> {
  const names = new Map<SchemaFault, string[]>();
  const first = new Map<string, string[]>();
  for (const fault of faults) {
    const holder = fault.pointer.slice(0, Math.max(0, fault.pointer.lastIndexOf("/")));
    if (fault.keyword !== "null" || fault.pointer === "" || !isObject(valueAt(json, holder))) continue;
    const key = `${holder} ${fault.requirement}`;
    const [name = ""] = pointerTokens(fault.pointer).slice(-1);
    const ofFirst = first.get(key);
    if (ofFirst) {
      ofFirst.push(name);
      names.set(fault, []);
    } else {
      const own = [name];
      names.set(fault, own);
      first.set(key, own);
    }
  }
  return names;
}

export function nullsIn(names: readonly string[]): Omit<AnswerFault, "offending"> {
  return {
    expected: "no null where the specification does not allow it",
    actual: `null in ${names.join(", ")}`,
    difference: "null",
    nulls: names,
  };
}
