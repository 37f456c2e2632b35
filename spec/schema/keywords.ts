import { isObject } from "../json.ts";

type LimitedType = "any" | "string" | "number" | "array" | "object";

/** The type that each keyword limits, the most important first. `expected` and `relations` are extensions. */
const KEYWORDS = {
  type: "any",
  null: "any",
  not: "any",
  "false schema": "any",
  oneOf: "any",
  anyOf: "any",
  const: "any",
  enum: "any",
  format: "string",
  pattern: "string",
  minLength: "string",
  maxLength: "string",
  multipleOf: "number",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  contains: "array",
  items: "array",
  unevaluatedItems: "array",
  minProperties: "object",
  maxProperties: "object",
  required: "object",
  additionalProperties: "object",
  propertyNames: "object",
  dependentRequired: "object",
  unevaluatedProperties: "object",
  expected: "object",
  relations: "object",
} as const satisfies Record<string, LimitedType>;

export type Keyword = keyof typeof KEYWORDS;

export const KEYWORD_NAMES = Object.keys(KEYWORDS) as Keyword[];

export function keywordOf(name: string): Keyword {
  const keyword = KEYWORD_NAMES.find((each) => each === name);
  if (keyword === undefined) throw new Error(`the keyword ${name} has no place among KEYWORDS`);
  return keyword;
}

/** True if the keyword limits values of this type: `maxLength` limits texts alone. */
export function appliesTo(keyword: Keyword, value: unknown): boolean {
  switch (KEYWORDS[keyword]) {
    case "any":
      return true;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === KEYWORDS[keyword];
  }
}

/** Returns the faults without those that follow from a wrong type, and without relations of faulty fields. */
export function distinctFaults<T extends { pointer: string; keyword: Keyword; related?: string[] }>(
  faults: readonly T[],
): T[] {
  const wrongTypes = new Map<string, T>();
  const wrong = new Set<string>();
  for (const fault of faults) {
    if (isOfType(fault) && !wrongTypes.has(fault.pointer)) wrongTypes.set(fault.pointer, fault);
    if (!fault.related) wrong.add(fault.pointer);
  }
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const { keyword, pointer, related } = fault;
    if (related) return ![pointer, ...related].some((place) => wrong.has(place));
    const isFirst = !seen.has(`${keyword} ${pointer}`);
    seen.add(`${keyword} ${pointer}`);
    return isFirst && (wrongTypes.get(pointer) ?? fault) === fault;
  });
}

function isOfType({ keyword }: { keyword: Keyword }): boolean {
  return keyword === "type" || keyword === "null";
}

/** Returns the first of the broken keywords in the order of `KEYWORDS`. */
export function mostTelling(broken: readonly Keyword[]): Keyword | undefined {
  return KEYWORD_NAMES.find((keyword) => broken.includes(keyword));
}
