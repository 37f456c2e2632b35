import { componentOf, isAction } from "../spec/actions.ts";
import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { type Entry, header, isAccepted, isOrdinary, responseJson } from "./entry.ts";
import type { History } from "./history.ts";
import { marksIn } from "./marks.ts";

export interface ListedItem {
  id: string;
  item: JsonObject;
  marks: string[];
  page: Entry;
  space: string | null;
}

const known = new WeakMap<History, Map<Operation, ListedItem[]>>();

export function listedItems(history: History, create: Operation): readonly ListedItem[] {
  const byCreate = known.get(history) ?? new Map<Operation, ListedItem[]>();
  const items = byCreate.get(create) ?? itemsOf(history, create);
  known.set(history, byCreate.set(create, items));
  return items;
}

function itemsOf({ spec, head, entries }: History, create: Operation): ListedItem[] {
  const lists = [...listsOf(spec, create), ...namedListsOf(spec, create)];
  return entries.flatMap((page): ListedItem[] => {
    const { operation } = page;
    if (!operation || !lists.includes(operation) || !isOrdinary(page, head) || !isAccepted(page)) return [];
    const json = responseJson(page);
    const items = isObject(json) && Array.isArray(json.result) ? json.result.filter(isObject) : [];
    const identity = operation.list?.identity ?? identityOf(spec, create);
    const space = (create.space && header(page.request.headers, create.space.name)) ?? page.space;
    return items.map((item) => ({
      id: String(item[identity]),
      item,
      marks: marksIn(head, item),
      page,
      space,
    }));
  });
}

/** Undocumented GETs at the path of a create: they may be lists. */
export function namedListsOf({ operations }: Spec, { path }: Operation): Operation[] {
  return operations.filter(
    (operation) => operation.kind === "named" && operation.method === "GET" && operation.path === path,
  );
}

const listsByCreate = new WeakMap<Operation, readonly Operation[]>();

/**
 * Lists at the create's own path come first. A list that needs a filter or another parameter is none, and an
 * operation that acts on a resource adds none to a list.
 */
export function listsOf(spec: Spec, create: Operation): readonly Operation[] {
  const lists = listsByCreate.get(create) ?? findLists(spec, create);
  listsByCreate.set(create, lists);
  return lists;
}

function findLists(spec: Spec, create: Operation): Operation[] {
  const component = isAction(spec, create) ? undefined : componentOf(spec, create);
  const lists = spec.operations.filter(
    (operation) =>
      operation.kind === "list" &&
      component !== undefined &&
      componentOf(spec, operation) === component &&
      !operation.list?.filters.some(({ required }) => required) &&
      operation.outer.every((one) => create.outer.some((other) => isSameParameter(one, other))),
  );
  const isBeside = ({ path }: Operation) => path === create.path;
  return [...lists.filter(isBeside), ...lists.filter((list) => !isBeside(list))];
}

function isSameParameter(one: Parameter, other: Parameter): boolean {
  return one.name === other.name && one.madeBy === other.madeBy && one.fixture?.read === other.fixture?.read;
}
