import type { Answer } from "../../history/answers/answers.ts";
import { type AnswerFault, differenceKindOf } from "../../history/answers/shape-faults.ts";
import { isAccepted } from "../../history/entry.ts";
import type { Described } from "../../history/result.ts";
import { identityOf, idText } from "../../spec/identity.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../../spec/json.ts";
import { type DifferenceKind, lackIn } from "../../spec/model/difference.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { type AnswerRule, SUCCESS_RULES } from "../responses/rules.ts";

type Check = (spec: Spec, answer: Answer) => AnswerFault | null | undefined;

export const SUCCESSES: Record<string, { is: string; check: Check }> = {
  "NAMED-SUCCESS": {
    is: "is 200, and JSON",
    check: (_, answer) => SUCCESS_RULES.map(({ check }) => check(answer)).find((fault) => fault) ?? null,
  },
  "NAMED-ENVELOPE": { is: "has the envelope of documented answers", check: envelopeFault },
  "NAMED-LIST": { is: "has pagination if and only if it is a list", check: paginationFault },
};

/** Limits the check to accepted requests with the token. */
export function forSuccesses(spec: Spec, check: Check): AnswerRule["check"] {
  return (answer) =>
    isAccepted(answer.entry) && answer.entry.credential.kind === "token" ? check(spec, answer) : undefined;
}

/** Returns the fault if the answer lacks a member that all documented answers have, or null. */
function envelopeFault(spec: Spec, { json, entry }: Answer): AnswerFault | null {
  const text = "body" in entry.response ? entry.response.body.text : "";
  if (!isObject(json)) return faultOf("an object", json ?? text, "");
  for (const [name, schema] of sharedEnvelope(spec)) {
    if (!Object.hasOwn(json, name)) return faultOf(`the field ${name}`, undefined, `/${name}`);
    const [wrong] = spec.schemas.validate(schema, json[name]);
    if (wrong)
      return {
        ...differenceKindOf(wrong, json[name]),
        expected: `${name}: ${wrong.expected}`,
        actual: wrong.actual,
        offending: `/${name}${wrong.pointer}`,
      };
  }
  const { result } = json;
  return isObject(result) || Array.isArray(result) || result === null
    ? null
    : faultOf("result, an object, a list or null", result, "/result");
}

/** Returns the fault in the pagination beside a list or a single result, or null. */
function paginationFault(spec: Spec, { json }: Answer): AnswerFault | null | undefined {
  const { result, pagination: shown } = isObject(json) ? json : {};
  const singles = spec.operations.flatMap(({ kind, response }) => (kind === "list" ? [] : (response ?? [])));
  const forbidsPagination = (single: Schema) => spec.schemas.at(single, "/pagination")?.not !== undefined;
  if (isObject(result))
    return shown === undefined || singles.length === 0 || !singles.every(forbidsPagination)
      ? null
      : faultOf("no pagination beside a single result", shown, "/pagination", "must-be-absent");
  if (!Array.isArray(result)) return undefined;
  const strange = result.findIndex((item) => !isObject(item));
  if (strange !== -1) return faultOf("a list of objects", result[strange], `/result/${strange}`);
  const ids = idsIn(spec, json);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined)
    return {
      difference: "repeated",
      expected: "each id once",
      actual: `${repeated} twice`,
      offending: "/result",
    };
  if (!isObject(shown))
    return shown !== undefined || listsRequire(spec, "", "pagination")
      ? faultOf("pagination beside a list", shown, "/pagination")
      : null;
  const { count, next, total } = shown;
  if (count !== result.length && (count !== undefined || listsRequire(spec, "/pagination", "count")))
    return faultOf(`count ${result.length}`, count, "/pagination/count", "wrong-number");
  if (next !== undefined && next !== null && typeof next !== "string")
    return faultOf("next, a text or null", next, "/pagination/next");
  if (total !== undefined && !Number.isInteger(total))
    return faultOf("total, an integer", total, "/pagination/total");
  return null;
}

function listsRequire({ operations, schemas }: Spec, pointer: string, name: string): boolean {
  const lists = operations.flatMap(({ kind, response }) => (kind === "list" && response ? [response] : []));
  return lists.length > 0 && lists.every((list) => schemas.at(list, pointer)?.required?.includes(name));
}

function faultOf(
  expected: string,
  value: unknown,
  offending: string,
  difference: DifferenceKind = "other-type",
): AnswerFault {
  const actual = value === undefined ? "absent" : describeValue(value, 60);
  return { difference, ...lackIn(value), expected, actual, offending };
}

/** Returns the members around the result that all documented answers share. */
function sharedEnvelope({ operations, schemas }: Spec): [name: string, schema: Schema][] {
  const shown = operations.flatMap(({ response }) => (response ? [schemas.flatten(response)] : []));
  const [first, ...others] = shown;
  return Object.entries(first?.properties ?? {}).filter(([name, schema]) => {
    if (name === "result" || name === "pagination" || !first?.required?.includes(name)) return false;
    const own = schemas.flatten(schema);
    return others.every(({ required, properties }) => {
      const other = properties?.[name];
      return other && required?.includes(name) && sameJson(schemas.flatten(other), own);
    });
  });
}

/** Returns how the second answer differs, or `undefined`. New items and pushed-off old ones don't count. */
export function differenceOf(spec: Spec, first: unknown, second: unknown): Described | undefined {
  const [before, after] = [idsIn(spec, first), idsIn(spec, second)];
  const known = after.filter((id) => before.includes(id));
  const isGrown = after.length >= before.length && known.length > after.length / 2;
  const [kept, shown] = isGrown ? [before.slice(0, known.length), known] : [before, after];
  if (!sameJson(kept, shown))
    return {
      difference: "answers-differ",
      expected: `the same items: ${before.join(", ")}`,
      actual: after.join(", ") || "none",
    };
  const lost = lostPlaces(commonIdentity(spec), first, second);
  if (lost.length === 0) return undefined;
  return {
    difference: "answers-differ",
    expected: "the same fields again",
    actual: `another type or nothing in ${lost.join(", ")}`,
  };
}

function resultsIn(json: unknown): JsonObject[] {
  const result = isObject(json) ? json.result : undefined;
  return (Array.isArray(result) ? result : [result]).filter(isObject);
}

/** Returns the ids in the answer, and none if documented resources have ids of several names. */
function idsIn(spec: Spec, json: unknown): string[] {
  const identity = commonIdentity(spec);
  return identity === undefined ? [] : resultsIn(json).flatMap((record) => idText(record[identity]) ?? []);
}

function commonIdentity(spec: Spec): string | undefined {
  const documented = spec.operations.filter(({ resource }) => resource);
  const [first, ...others] = new Set(documented.map((operation) => identityOf(spec, operation)));
  return others.length === 0 ? first : undefined;
}

/** Returns JSON pointers to the records and fields that the later answer no longer shows. */
function lostPlaces(identity: string | undefined, before: unknown, after: unknown): string[] {
  const idOf = (record: JsonObject) => (identity === undefined ? undefined : idText(record[identity]));
  const others = resultsIn(after);
  const isList = isObject(before) && Array.isArray(before.result);
  const lost = resultsIn(before).flatMap((record) => {
    const id = idOf(record);
    // Items without ids may change places.
    const other =
      id === undefined ? (isList ? undefined : others[0]) : others.find((other) => idOf(other) === id);
    return other ? lostFields(record, other, "") : [];
  });
  return [...new Set(lost)];
}

/** Returns JSON pointers to the fields that are gone or have another type. */
function lostFields(before: JsonObject, after: JsonObject, path: string): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = after[name];
    if (isObject(value) && isObject(other)) return lostFields(value, other, `${path}/${name}`);
    // One null says nothing about the type.
    const same =
      other !== undefined && (value === null || other === null || jsonType(value) === jsonType(other));
    return same ? [] : [`${path}/${name}`];
  });
}
