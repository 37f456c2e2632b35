import { distinct } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import { type KeywordFault, replacedBy } from "./keyword-fault.ts";
import { arrayOfLength, type ValueSource } from "./values.ts";

/** Returns a list with one element more than `maxItems`, and beside it the longest valid one. */
export function tooManyItems(schema: Schema, source: ValueSource): KeywordFault[] {
  const { maxItems } = schema;
  if (maxItems === undefined) return [];
  const tooMany = arrayOfLength(schema, maxItems + 1, source);
  const most = arrayOfLength(schema, maxItems, source);
  // A list of repeated values also breaks `uniqueItems`.
  if (!tooMany || !most || (schema.uniqueItems && distinct(tooMany).length < tooMany.length)) return [];
  return [{ ...replacedBy(tooMany), near: most }];
}

export function tooFewItems(schema: Schema, source: ValueSource): KeywordFault[] {
  const { minItems = 0 } = schema;
  const tooFew = minItems > 0 ? (arrayOfLength(schema, minItems - 1, source) ?? []) : undefined;
  return tooFew?.length === minItems - 1 ? [replacedBy(tooFew)] : [];
}

/** Returns a list with an element twice, if the schema asks for unique elements and allows two. */
export function repeatedItems(
  { uniqueItems, maxItems = 2, ...schema }: Schema,
  source: ValueSource,
): KeywordFault[] {
  const least = Math.max(schema.minItems ?? 0, 1);
  const first = uniqueItems && maxItems >= 2 ? arrayOfLength(schema, least, source)?.at(-1) : undefined;
  const twice = Array.from({ length: Math.max(least, 2) }, () => first);
  return first === undefined ? [] : [replacedBy(twice)];
}

const VALUES_TRIED = 8;

/** Returns a list without any element that `contains` asks for. */
export function withoutContained(schema: Schema, source: ValueSource): KeywordFault[] {
  const { contains, minContains = 1, minItems = 0, uniqueItems } = schema;
  if (!contains || minContains === 0) return [];
  const made = Array.from({ length: VALUES_TRIED }, (_, variation) => {
    const { contains: _contains, ...open } = schema;
    return arrayOfLength(open, Math.max(minItems, 1), source, variation);
  });
  const isContained = (element: unknown) => source.schemas.validate(contains, element).length === 0;
  const list = made.find((each) => {
    const isUnique = !uniqueItems || distinct(each ?? []).length === each?.length;
    return each && isUnique && !each.some(isContained);
  });
  return list ? [replacedBy(list)] : [];
}
