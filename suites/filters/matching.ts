import { asQuery } from "../../client/target.ts";
import { isMasked, sameFieldValue } from "../../history/values/differences.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { typesOf } from "../../spec/schema.ts";

export type Combination = Record<string, string>;

export interface FilterSet {
  operation: Operation;
  set: Parameter[];
  detail: string;
}

/** Returns the sets of filters under which a list can be followed. */
export function followedSets(spec: Spec): FilterSet[] {
  return filterSets(spec).filter(({ operation: { list } }) => list?.after);
}

/** Returns each optional filter, each pair, and all together. */
export function filterSets(spec: Spec): FilterSet[] {
  return operationsOf(spec, "list").flatMap((operation) =>
    filterSubsets((operation.list?.filters ?? []).filter(({ required }) => !required)).map((set) => ({
      operation,
      set,
      detail: namesOf({ set }),
    })),
  );
}

/** Returns `type and status`. */
export function namesOf({ set }: Pick<FilterSet, "set">): string {
  return set.map(({ name }) => name).join(" and ");
}

function filterSubsets(filters: Parameter[]): Parameter[][] {
  return filters.flatMap((filter, index) => {
    const before = filters.slice(0, index);
    const whole = index > 1 && index === filters.length - 1 ? [filters] : [];
    return [[filter], ...before.map((other) => [other, filter]), ...whole];
  });
}

export function matches(item: JsonObject, set: readonly Parameter[], values: Combination): boolean {
  return set.every((filter) => isShown(filter, values[filter.name], filteredValue(item, filter)));
}

/** True if both are the same value, perhaps in another spelling of a number, a time or a UUID. */
export function isShown(filter: Parameter, wanted: string | undefined, value: string | undefined): boolean {
  if (value === undefined || wanted === undefined) return false;
  return sameFieldValue(value, wanted) || (isNumeric(filter) && Number(value) === Number(wanted));
}

export function isNumeric({ schema }: Parameter): boolean {
  return typesOf(schema).some((type) => type === "number" || type === "integer");
}

/** Undefined for a missing or a masked value. */
export function filteredValue(item: JsonObject, { filter = "", isMaskable }: Parameter): string | undefined {
  const value = asQuery(valueAt(item, filter));
  return isMaskable && value !== undefined && isMasked(value) ? undefined : value;
}

/** Returns `type=a&status=b`. */
export function queryText(values: Combination): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

const MOST_VALUES = 4;
const MOST_COMBINATIONS = 2;

/** Returns the most and least frequent values, other enum and boolean ones, and a combination of no item. */
export function combinations(items: readonly JsonObject[], set: readonly Parameter[]): Combination[] {
  const byCount = byFrequency(items, set);
  const [only, ...others] = set;
  const most = others.length > 0 ? MOST_COMBINATIONS : MOST_VALUES;
  const common = byCount.slice(0, Math.ceil(most / 2));
  const rare = byCount.slice(common.length).slice(-Math.floor(most / 2));
  const some = [...common, ...rare];
  if (others.length > 0) return [...some, ...combinationOfNoItem(byCount)];
  if (!only) return some;
  const missing = optionsOf(only).filter((option) => !some.some((values) => values[only.name] === option));
  return [...some, ...missing.map((option) => ({ [only.name]: option }))];
}

/** Returns the documented values of a filter. */
export function optionsOf({ schema }: Parameter): string[] {
  const options = typesOf(schema).join() === "boolean" ? [true, false] : (schema.enum ?? []);
  return options.map(asQuery).filter((option) => option !== undefined);
}

/** Returns the combinations of values of these filters in the items, the most frequent one first. */
function byFrequency(items: readonly JsonObject[], set: readonly Parameter[]): Combination[] {
  const found = new Map<string, { values: Combination; count: number }>();
  for (const item of items) {
    const values: Combination = {};
    for (const filter of set) {
      const value = filteredValue(item, filter);
      if (value !== undefined) values[filter.name] = value;
    }
    if (Object.keys(values).length < set.length) continue;
    const key = JSON.stringify(values);
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { values, count: 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count).map(({ values }) => values);
}

/** Returns a combination of shown values that no item has: if one filter is ignored, it shows items. */
function combinationOfNoItem(found: Combination[]): Combination[] {
  const has = new Set(found.map(queryText));
  for (const one of found)
    for (const other of found)
      for (const name of Object.keys(one).reverse()) {
        const crossed = { ...one, [name]: other[name] ?? "" };
        if (!has.has(queryText(crossed))) return [crossed];
      }
  return [];
}
