import { memoized } from "../../spec/memoized.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { componentOf, isAction } from "../../spec/operations.ts";
import { preferredFirst } from "../../spec/ordered.ts";

/** Returns undocumented GETs at the path of the create: they may list the created resources. */
export function namedListsOf({ operations }: Spec, { path }: Operation): Operation[] {
  return operations.filter(
    (operation) => operation.kind === "named" && operation.method === "GET" && operation.path === path,
  );
}

/** Returns the lists that must show the created resources: none with required filters or other parents. */
export const listsOf = memoized((spec: Spec, create: Operation): readonly Operation[] => {
  const component = isAction(spec, create) ? undefined : componentOf(spec, create);
  const lists = spec.operations.filter(
    (operation) =>
      operation.kind === "list" &&
      component !== undefined &&
      (componentOf(spec, operation) === component || isListOfReads(spec, operation, create)) &&
      !operation.list?.filters.some(({ required }) => required) &&
      operation.outer.every((one) => create.outer.some((other) => isSameParameter(one, other))),
  );
  return preferredFirst(lists, ({ path }) => path === create.path);
});

/** True if the read of a created resource names the list. The items of the list may have a schema of their own. */
function isListOfReads({ operations }: Spec, { id, list }: Operation, create: Operation): boolean {
  return operations.some(
    ({ sameRecord, pathParameter }) =>
      sameRecord?.list === id &&
      pathParameter?.madeBy === create.id &&
      sameRecord.by[0] === (list?.identity ?? "id"),
  );
}

function isSameParameter(one: Parameter, other: Parameter): boolean {
  return one.name === other.name && one.madeBy === other.madeBy && one.fixture?.read === other.fixture?.read;
}

/** Returns page size and cursors of a documented list. An undocumented one probably pages like it. */
export function pagingOfOthers(spec: Spec): Partial<NonNullable<Operation["list"]>> {
  const { limit, after } =
    spec.operations.find(({ list }) => list?.limit && list.after?.cursor !== "item" && list.after)?.list ??
    {};
  return { ...(limit ? { limit } : {}), ...(after ? { after } : {}) };
}
