import type { ValueSource } from "../generators/values.ts";
import { namesOf, type References } from "../history/creates/references.ts";
import { UNIQUE } from "../spec/fixture-values.ts";
import { addTo } from "../spec/grouped.ts";
import { isObject, valueAt } from "../spec/json.ts";
import type { Operation, Schema, ValuesFrom } from "../spec/model/spec.ts";
import { operationById } from "../spec/operations.ts";
import { preferredFirst } from "../spec/ordered.ts";
import { childSchemas } from "../spec/schema.ts";
import { givenValues, listedValues, sampleItems } from "./samples.ts";
import { asText, type Target } from "./target.ts";

type Values = ReadonlyMap<string, string[]>;

/**
 * Looks up the values of the schema first, because generators are synchronous. `triedBy` returns the values, by fixture,
 * that were tried with this create.
 */
export async function valueSourceWith(
  target: Target,
  schema: Schema,
  triedBy: (create: Operation) => Values | Promise<Values>,
): Promise<ValueSource> {
  const { schemas } = target.spec;
  const known = new Map<string, string[]>();
  const references = new Map<Schema, string[]>();
  const visited = new Set<Schema>();
  const visit = async (node: Schema): Promise<void> => {
    const flat = schemas.flatten(node);
    if (visited.has(flat)) return;
    visited.add(flat);
    const from = flat["x-values-from"];
    const wanted = flat["x-references"];
    const below = [...childSchemas(flat)].map(([, child]) => visit(child));
    if (from && !known.has(from.fixture)) {
      known.set(from.fixture, []);
      known.set(from.fixture, await knownValues(target, from, triedBy));
    }
    if (wanted) references.set(flat, await referencesOf(target, wanted));
    await Promise.all(below);
  };
  await visit(schema);
  return {
    schemas,
    unique: () => target.unique(),
    known: (fixture) =>
      (known.get(fixture) ?? []).map((value) => value.replaceAll(UNIQUE, () => target.unique())),
    references: (asked) => references.get(schemas.flatten(asked)) ?? [],
    seed: target.settings.seed,
  };
}

async function knownValues(
  target: Target,
  from: ValuesFrom,
  triedBy: (create: Operation) => Values | Promise<Values>,
): Promise<string[]> {
  const given = givenValues(target, from);
  if (given.length > 0) return given;
  const taker = target.settings.readOnly ? undefined : takerOf(target, from.fixture);
  return taker ? ((await triedBy(taker)).get(from.fixture) ?? []) : listedValues(target, from);
}

/** Returns a create with a field that takes the values of the fixture. */
function takerOf(target: Target, fixture: string): Operation | undefined {
  return target.spec.operations.find(
    (operation) =>
      operation.kind === "create" &&
      target.spec.schemas
        .fields(operation.body)
        .some(([, schema]) => schema["x-values-from"]?.fixture === fixture),
  );
}

interface Candidate {
  value: string;
  isNamed: boolean;
  features: ReadonlySet<string>;
}

/** Returns ids or codes for a field that refers to these lists, of one group (providers of one country). */
function referencesOf(target: Target, wanted: References): Promise<string[]> {
  return target.memoize(`references ${wanted.lists.join()} ${wanted.fields.join()}`, async () => {
    const namedIn = (group: Candidate[]) => group.filter(({ isNamed }) => isNamed).length;
    // An update needs a second value, so the group must have one.
    const varies = (group: Candidate[]) =>
      Number(namedIn(group) > 0 && bestCandidates(group, wanted.on).length > 1);
    const [best = []] = (await candidateGroups(target, wanted)).sort(
      (a, b) => varies(b) - varies(a) || namedIn(b) - namedIn(a) || b.length - a.length,
    );
    return bestCandidates(best, wanted.on).map(({ value }) => value);
  });
}

/** Returns the listed items that may be referred to, grouped by the required filter (the country). */
async function candidateGroups(target: Target, { lists, fields }: References): Promise<Candidate[][]> {
  const operations = lists.map((list) => operationById(target.spec, list));
  const [named, ...samples] = await Promise.all([
    namedReferences(target, lists),
    ...operations.map((operation) => sampleItems(target, operation)),
  ]);
  const groups = new Map<string, Candidate[]>();
  for (const [index, { id, list }] of operations.entries()) {
    const filter = list?.filters.find(({ required }) => required)?.filter;
    for (const item of samples[index] ?? []) {
      const names = namesOf(item, fields);
      const [value] = names;
      if (value === undefined) continue;
      const isNamed = names.some((name) => named.has(name));
      const key = `${id} ${filter === undefined ? "" : String(valueAt(item, filter))}`;
      addTo(groups, key, { value, isNamed, features: switchedOn(item) });
    }
  }
  return [...groups.values()];
}

/** Prefers candidates with all features (true fields) of the group, then those with the `stated` ones. */
function bestCandidates(group: Candidate[], stated?: string[]): Candidate[] {
  const all = [...new Set(group.flatMap(({ features }) => [...features]))];
  const has = ({ features }: Candidate, pointers: string[]) =>
    pointers.every((pointer) => features.has(pointer));
  const namedFirst = (some: Candidate[]) => preferredFirst(some, ({ isNamed }) => isNamed);
  const withAll = group.filter((each) => has(each, all));
  const withStated = stated ? group.filter((each) => has(each, stated) && !withAll.includes(each)) : [];
  if (withAll.length + withStated.length > 0) return [...namedFirst(withAll), ...namedFirst(withStated)];
  const named = group.filter(({ isNamed }) => isNamed);
  const common = all.filter((pointer) => named.every(({ features }) => features.has(pointer)));
  const fit = namedFirst(group.filter((each) => each.isNamed || has(each, common)));
  return fit.length > 0 ? fit : group;
}

function switchedOn(value: unknown, pointer = ""): Set<string> {
  if (value === true) return new Set([pointer]);
  if (!isObject(value)) return new Set();
  return new Set(
    Object.entries(value).flatMap(([name, child]) => [...switchedOn(child, `${pointer}/${name}`)]),
  );
}

/** Returns the texts of these lists in items that other lists of the space show: a resource may refer to them. */
async function namedReferences(target: Target, lists: readonly string[]): Promise<Set<string>> {
  const own = target.spec.operations.filter(
    ({ id, kind, space }) => kind === "list" && space && !lists.includes(id),
  );
  const items = await Promise.all(own.map((operation) => sampleItems(target, operation).catch(() => [])));
  const parts = items
    .flat()
    .flatMap((item) => Object.values(item).filter(Array.isArray))
    .flat();
  return new Set(parts.flatMap((part) => asText(part) ?? []));
}
