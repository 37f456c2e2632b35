import { groupedBy } from "../spec/grouped.ts";
import { identityOf, idText } from "../spec/identity.ts";
import { appendPointer, isObject, type JsonObject } from "../spec/json.ts";
import { memoized } from "../spec/memoized.ts";
import type { ComparedField, Operation, Parameter, Schema, Spec } from "../spec/model/spec.ts";
import { actionsOnMade, isPart, mayAct, operationById, pathParametersOf } from "../spec/operations.ts";
import { typesOf } from "../spec/schema.ts";
import { unusablePlaces } from "./answers/shape-faults.ts";
import { type Entry, idBeforeAction, isAccepted, pathId, resultIn } from "./entry.ts";

export interface View {
  operation: Operation;
  /** `answer` is the answer to a write, which can't be late, unlike reads and lists. */
  shows: "answer" | "read" | "list";
  names: ReadonlyMap<string, string>;
}

export interface ResourceKind {
  updates: Operation[];
  create: Operation | undefined;
  actions: readonly Operation[];
  /** The actions, and other POSTs that may change the resource: they answer another one, or act on a parent. */
  changing: readonly Operation[];
  identity: string;
  /** The path parameters of updates that name parents of the resource. */
  parents: readonly Parameter[];
  /** True for a part without an own id (`/jobs/{id}/address`). */
  isPart: boolean;
  /** Keys are operation ids. Creates are left out, because their answers may be replays. */
  views: ReadonlyMap<string, View>;
}

export interface ShownResource {
  id: string;
  view: View;
  fields: JsonObject;
  unusable: ReadonlySet<string>;
}

/** Returns the kinds of resources that updates change: always the same objects, because they are cache keys. */
export const resourceKinds = memoized((spec: Spec): readonly ResourceKind[] => {
  const updates = spec.operations.filter(({ kind, body, resource }) => kind === "update" && body && resource);
  const groups = groupedBy(updates, (update) => {
    const { pathParameter, readBack, path } = update;
    return (isPart(spec, update) ? undefined : pathParameter?.madeBy) ?? readBack?.read ?? path;
  });
  return [...groups.values()].map((group) => resourceKindOf(spec, group));
});

export function kindOfUpdate(spec: Spec, update: Operation): ResourceKind | undefined {
  return resourceKinds(spec).find(({ updates }) => updates.includes(update));
}

function resourceKindOf(spec: Spec, updates: Operation[]): ResourceKind {
  const [first] = updates;
  const isOfPart = first !== undefined && isPart(spec, first);
  const madeBy = isOfPart ? undefined : first?.pathParameter?.madeBy;
  const views = new Map<string, View>();
  const own = spec.schemas.fieldNames(first?.resource);
  const add = (operation: Operation, shows: View["shows"], names?: ReadonlyMap<string, string>) => {
    if (!views.has(operation.id))
      views.set(operation.id, {
        operation,
        shows,
        names: names ?? sameNames(spec, operation.resource, first?.resource),
      });
  };
  const readers = updates.flatMap(({ readBack }) =>
    readBack?.read === undefined ? [] : [operationById(spec, readBack.read)],
  );
  for (const update of updates) add(update, "answer");
  for (const reader of readers) {
    add(reader, "read");
    if (reader.sameRecord) add(operationById(spec, reader.sameRecord.list), "list", listNames(reader, own));
  }
  // Lists whose fields `sameRecord` names are known by now.
  for (const { readBack } of updates)
    if (readBack?.list !== undefined) add(operationById(spec, readBack.list), "list");
  const parents = updates.map(({ outer }) => outer).sort((one, other) => one.length - other.length)[0] ?? [];
  const makers = [madeBy, ...parents.map((parent) => parent.madeBy)].filter((id) => id !== undefined);
  const changing = spec.operations.filter(
    (operation) => mayAct(spec, operation) && makers.includes(operation.outer.at(-1)?.madeBy ?? ""),
  );
  return {
    updates,
    create: madeBy === undefined ? undefined : operationById(spec, madeBy),
    actions: madeBy === undefined ? [] : actionsOnMade(spec, madeBy),
    changing,
    identity: identityOf(spec, first ?? {}),
    parents,
    isPart: isOfPart,
    views,
  };
}

/** Leaves out names of fields that have other types there. */
function sameNames({ schemas }: Spec, there: Schema = {}, here: Schema = {}): Map<string, string> {
  const types = (schema: Schema, name: string) =>
    typesOf(schemas.field(schema, name)).map((type) => (type === "integer" ? "number" : type));
  const isLike = (name: string) => {
    const own = types(here, name);
    const others = types(there, name);
    return own.length === 0 || others.length === 0 || own.some((type) => others.includes(type));
  };
  const names = schemas.fieldNames(there);
  const same = schemas.fieldNames(here).filter((name) => names.includes(name) && isLike(name));
  return new Map(same.map((name) => [name, name]));
}

/** Returns the fields that the list shows unchanged, by their names in the list. */
function listNames({ sameRecord }: Operation, own: string[]): Map<string, string> {
  const fields = sameRecord?.fields ?? "all";
  if (fields === "all") return new Map(own.map((name) => [name, name]));
  return new Map(
    Object.entries(fields).flatMap(([name, compared]): [string, string][] =>
      isWholeAndEqual(name, compared) ? [[name, compared.field]] : [],
    ),
  );
}

/** True for a field that the list shows unchanged, and that is no part of an object in the read or the list. */
export function isWholeAndEqual(name: string, { field, compare }: ComparedField): boolean {
  return compare === "equal" && !name.includes("/") && !field.includes("/");
}

/** Returns the resources of this kind that the answer shows. Fields of a wrong type are `unusable`. */
export function shownBy(spec: Spec, kind: ResourceKind, entry: Entry): readonly ShownResource[] {
  return shownOf(entry, { spec, kind });
}

const shownOf = memoized(findShown, ({ kind }) => kind);

function findShown(entry: Entry, { spec, kind }: { spec: Spec; kind: ResourceKind }): ShownResource[] {
  const view = entry.operation && kind.views.get(entry.operation.id);
  if (!view || !isAccepted(entry)) return [];
  const result = resultIn(entry);
  const records = Array.isArray(result) ? result : [result];
  const identity = view.names.get(kind.identity) ?? kind.identity;
  const places = [...unusablePlaces(entry, spec.schemas)];
  const isUnusable = (pointer: string) =>
    places.some((place) => place === pointer || place.startsWith(`${pointer}/`));
  return records.flatMap((record, index) => {
    if (!isObject(record)) return [];
    const named = kind.isPart && view.shows !== "list" ? pathId(entry) : undefined;
    const id = named ?? idText(record[identity]);
    if (id === undefined) return [];
    const place = Array.isArray(result) ? `/result/${index}` : "/result";
    const fields: JsonObject = {};
    const unusable = new Set<string>();
    for (const [name, shown] of view.names) {
      if (places.length > 0 && isUnusable(appendPointer(place, shown))) unusable.add(name);
      else if (Object.hasOwn(record, shown)) fields[name] = record[shown];
    }
    return [{ id, view, fields, unusable }];
  });
}

/** Returns `parent/id`, because an id may be unique only under its parent. */
export function idWithParents({ operation, path }: Entry, id: string): string {
  const own =
    operation?.kind === "list" || operation?.kind === "create" ? undefined : operation?.pathParameter?.name;
  const outer = Object.entries(path).filter(([name]) => name !== own);
  return [...outer.sort().map(([, value]) => value), id].join("/");
}

/** Returns `parent/id`, or undefined if the path lacks a parent that updates name. Others do not count. */
export function placeOf(kind: ResourceKind, entry: Entry, id: string): string | undefined {
  const parents = parentIds(kind, entry);
  return parents.includes(undefined) ? undefined : [...parents, id].join("/");
}

/** Returns `parent/id` for the resource of an action (`/jobs/{id}/close`), or `parent` if it acts on a parent. */
export function placeActedOn(kind: ResourceKind, entry: Entry): string | undefined {
  const isOwn = entry.operation?.outer.at(-1)?.madeBy === kind.create?.id;
  if (isOwn) return placeOf(kind, entry, idBeforeAction(entry) ?? "");
  return parentIds(kind, entry)
    .filter((id) => id !== undefined)
    .join("/");
}

/** True unless the paths name different parents. A list of all resources names none. */
export function mayShareParents(kind: ResourceKind, one: Entry, other: Entry): boolean {
  const others = parentIds(kind, other);
  return parentIds(kind, one).every(
    (id, index) => id === undefined || others[index] === undefined || id === others[index],
  );
}

function parentIds({ parents }: ResourceKind, { operation, path }: Entry): (string | undefined)[] {
  const named = operation ? pathParametersOf(operation) : [];
  const outer = operation?.outer ?? [];
  return parents.map(({ name, madeBy }, index) => {
    const same = named.find((each) => each.name === name || (madeBy !== undefined && each.madeBy === madeBy));
    // Another path may give the same parents other names.
    const parent = same ?? (outer.length === parents.length ? outer[index] : undefined);
    return parent && path[parent.name];
  });
}
