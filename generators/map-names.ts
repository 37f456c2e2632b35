import type { Schema } from "../spec/model/spec.ts";
import { matchingText } from "./pattern-texts.ts";
import { inOtherCase } from "./text.ts";

export const ATTRIBUTE = "conformance";

const NAMES_TRIED = 20;

/** Returns this many names that the map allows. The first stays: its new value reveals a stale map. */
export function namesOf({ propertyNames: form }: Schema, size: number, variation: number): string[] {
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
  return new RegExp(pattern, "u").test(other) ? other : name;
}

function attributeName(number: number, variation: number): string {
  if (number === 0) return ATTRIBUTE;
  return `${variation % 2 === 0 ? "note" : "Note"}${Math.floor(variation / 2) + number}`;
}

/** Returns the name cut or padded to the allowed length. Its end, a number, stays, so that it is unique. */
function nameOfLength(name: string, { minLength = 0, maxLength = name.length }: Schema = {}): string {
  return name.slice(Math.max(0, name.length - maxLength)).padEnd(minLength, "x");
}
