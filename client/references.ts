import { isObject, valueAt } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Schema } from "../spec/model/spec.ts";
import { sampleItems } from "./samples.ts";
import type { Target } from "./target.ts";

/**
 * A service may reject providers of several countries together, so all values come from one group, the one
 * that other resources name most often.
 */
export async function referencesOf(
  target: Target,
  wanted: NonNullable<Schema["x-references"]>,
): Promise<string[]> {
  return target.memoize(`references ${wanted.lists.join()} ${wanted.fields.join()}`, async () => {
    const operations = wanted.lists.map((list) => operationById(target.spec, list));
    const [named, ...samples] = await Promise.all([
      namedReferences(target, wanted),
      ...operations.map((operation) => sampleItems(target, operation)),
    ]);
    const groups = new Map<string, Referred[]>();
    for (const [index, { id: list, ...operation }] of operations.entries()) {
      const place = operation.list?.filters.find((filter) => filter.required)?.filter;
      for (const item of samples[index] ?? []) {
        const names = wanted.fields.map((field) => item[field]).filter((value) => typeof value === "string");
        const [value] = names;
        if (value === undefined) continue;
        const key = `${list} ${place === undefined ? "" : String(valueAt(item, place))}`;
        const own = names.some((name) => named.has(name));
        groups.set(key, [...(groups.get(key) ?? []), { value, named: own, on: switchedOn(item) }]);
      }
    }
    const namedIn = (group: Referred[]) => group.filter((each) => each.named).length;
    // With only one usable record in a group, an update could not change the value.
    const varies = (group: Referred[]) => Number(namedIn(group) > 0 && usable(group, wanted.on).length > 1);
    const [best = []] = [...groups.values()].sort(
      (a, b) => varies(b) - varies(a) || namedIn(b) - namedIn(a) || b.length - a.length,
    );
    return usable(best, wanted.on).map(({ value }) => value);
  });
}

interface Referred {
  value: string;
  named: boolean;
  on: Set<string>;
}

/** Records with all features switched on come first, then those with the `stated` ones. */
function usable(group: Referred[], stated?: string[]): Referred[] {
  const all = new Set(group.flatMap(({ on }) => [...on]));
  const isOn = ({ on }: Referred, pointers: string[]) => pointers.every((pointer) => on.has(pointer));
  const inOrder = (some: Referred[]) => [
    ...some.filter((each) => each.named),
    ...some.filter((each) => !each.named),
  ];
  const whollyOn = group.filter((each) => isOn(each, [...all]));
  const partlyOn = stated ? group.filter((each) => isOn(each, stated) && !whollyOn.includes(each)) : [];
  if (whollyOn.length + partlyOn.length > 0) return [...inOrder(whollyOn), ...inOrder(partlyOn)];
  const named = group.filter((each) => each.named);
  const needed = [...all].filter((pointer) => named.every(({ on }) => on.has(pointer)));
  const fit = inOrder(group.filter((each) => each.named || isOn(each, needed)));
  return fit.length > 0 ? fit : group;
}

function switchedOn(value: unknown, pointer = ""): Set<string> {
  if (value === true) return new Set([pointer]);
  if (!isObject(value)) return new Set();
  return new Set(
    Object.entries(value).flatMap(([name, child]) => [...switchedOn(child, `${pointer}/${name}`)]),
  );
}

async function namedReferences(target: Target, wanted: { lists: string[] }): Promise<Set<string>> {
  const own = target.spec.operations.filter(
    ({ id, kind, space }) => kind === "list" && space && !wanted.lists.includes(id),
  );
  const items = await Promise.all(own.map((operation) => sampleItems(target, operation).catch(() => [])));
  const parts = items
    .flat()
    .flatMap((item) => Object.values(item).filter(Array.isArray))
    .flat();
  return new Set(parts.filter((part) => typeof part === "string"));
}

export async function referenceResolver(target: Target, schema: Schema): Promise<(value: string) => string> {
  const names = new Map<string, string>();
  for (const [, { "x-references": wanted }] of target.spec.schemas.fields(schema)) {
    for (const list of wanted?.lists ?? []) {
      for (const item of await sampleItems(target, operationById(target.spec, list))) {
        const values = (wanted?.fields ?? [])
          .map((field) => item[field])
          .filter((value) => typeof value === "string");
        for (const value of values) names.set(value, values[0] ?? value);
      }
    }
  }
  return (value) => names.get(value) ?? value;
}
