import { isObject, type JsonObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { memberSchema } from "../spec/schema.ts";
import { matchingText, patternOf } from "./pattern-texts.ts";
import { inOtherCase } from "./text.ts";

export const ATTRIBUTE = "conformance";

const NAMES_TRIED = 20;

/** Returns this many names that the map allows. Each of its patterns (`patternProperties`) has a name in turn. */
export function namesOf(schema: Schema, size: number, variation: number): string[] {
  const { propertyNames: form, patternProperties = {}, additionalProperties: others } = schema;
  const patterns = Object.keys(patternProperties);
  const isOther = (name: string) => !patterns.some((pattern) => patternOf(pattern).test(name));
  const ofPatterns = patterns.map((pattern) => namesLike({ ...form, pattern }, size, variation));
  const isOpen = patterns.length === 0 || isObject(others);
  const all = isOpen ? [...ofPatterns, namesLike(form, size, variation).filter(isOther)] : ofPatterns;
  const inTurn = Array.from({ length: size }, (_, turn) =>
    all.flatMap((names) => names.slice(turn, turn + 1)),
  );
  return [...new Set(inTurn.flat())].slice(0, size);
}

/** Returns this many names of the form. The first stays: its new value reveals a stale map. */
function namesLike(form: Schema | undefined, size: number, variation: number): string[] {
  const names = new Set<string>();
  for (let number = 0; names.size < size && number < size * NAMES_TRIED; number++) {
    const turn = number === 0 ? 0 : variation + number;
    const listed = form?.enum?.[number];
    if (typeof listed === "string") names.add(listed);
    else if (form?.pattern !== undefined) names.add(matchingName(form, form.pattern, turn, variation));
    else names.add(nameOfLength(attributeName(number, variation), form));
  }
  return [...names];
}

/** Returns a name that matches. Every second variation changes only the case of the first name. */
function matchingName(form: Schema, pattern: string, turn: number, variation: number): string {
  const name = matchingText({ ...form, pattern }, turn);
  if (turn > 0 || variation % 2 === 0) return name;
  const other = name.slice(0, -1) + inOtherCase(name.slice(-1));
  return patternOf(pattern).test(other) ? other : name;
}

function attributeName(number: number, variation: number): string {
  if (number === 0) return ATTRIBUTE;
  return `${variation % 2 === 0 ? "note" : "Note"}${Math.floor(variation / 2) + number}`;
}

/** Returns the name cut or padded to the allowed length. Its end, a number, stays, so that it is unique. */
function nameOfLength(name: string, { minLength = 0, maxLength = name.length }: Schema = {}): string {
  return name.slice(Math.max(0, name.length - maxLength)).padEnd(minLength, "x");
}

/** Returns the first name under each schema that the map states for its members. */
export function firstOfEachSchema(schema: Schema, map: JsonObject): [name: string, member: Schema][] {
  const named = new Map<Schema, string>();
  for (const name of Object.keys(map)) {
    const member = memberSchema(schema, name);
    if (isObject(member) && !named.has(member)) named.set(member, name);
  }
  return [...named].map(([member, name]) => [name, member]);
}
