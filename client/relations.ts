/** Which operations create, list and read one kind of resource. */

import { componentOf, isAction } from "../spec/actions.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";

/**
 * The list that shows the resources of a creating operation, preferably at the same path. Never a list that
 * requires a filter or another parent resource.
 */
export function listOf(spec: Spec, create: Operation): Operation | undefined {
  const known = listsOf.get(create);
  if (known !== undefined) return known ?? undefined;
  const found = findListOf(spec, create);
  listsOf.set(create, found ?? null);
  return found;
}

/** Cached, because every rule about creates asks for every operation. */
const listsOf = new WeakMap<Operation, Operation | null>();

function findListOf(spec: Spec, create: Operation): Operation | undefined {
  const name = componentOf(spec, create);
  if (name === undefined || isAction(spec, create)) return undefined;
  const lists = spec.operations.filter(
    (operation) =>
      operation.kind === "list" &&
      componentOf(spec, operation) === name &&
      !operation.list?.filters.some(({ required }) => required) &&
      operation.outer.every((one) => create.outer.some((other) => isSameParameter(one, other))),
  );
  return lists.find(({ path }) => path === create.path) ?? lists[0];
}

function isSameParameter(one: Parameter, other: Parameter): boolean {
  return one.name === other.name && one.madeBy === other.madeBy && one.fixture?.read === other.fixture?.read;
}

/** The GET without a documented shape at the path of a creating operation, or undefined. */
export function namedListOf(spec: Spec, create: Operation): Operation | undefined {
  return spec.operations.find(
    ({ kind, method, path }) => kind === "named" && method === "GET" && path === create.path,
  );
}

/** The kind of resource in words, from the schema's name or the end of the path. */
export function kindOf(spec: Spec, operation: Operation): string {
  const name = operation.resource && spec.schemas.componentName(operation.resource);
  if (name !== undefined) return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
  const parts = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return parts.at(-1) ?? operation.id;
}

/**
 * The name of a required free text in a body, or undefined. The run writes its tag there to recognise the
 * resource.
 */
export function markedField(spec: Spec, operation: Operation): string | undefined {
  const flat = spec.schemas.flatten(operation.body ?? {});
  return (flat.required ?? []).find((name) => {
    const schema = spec.schemas.flatten(flat.properties?.[name] ?? {});
    const free = !RULES_OF_FORM.some((rule) => schema[rule] !== undefined);
    return typesOf(schema).includes("string") && free && (schema.maxLength ?? MARK) >= MARK;
  });
}

/** Keywords that leave no room for a tag. */
const RULES_OF_FORM = ["format", "enum", "const", "pattern", "examples", "x-values-from", "x-send"] as const;
const MARK = 16;

/** The operation that creates the resources of an operation, if there is one. */
export function makerOf(spec: Spec, operation: Operation): Operation | undefined {
  if (operation.kind === "create") return operation;
  return spec.operations.find(({ id }) => id === operation.pathParameter?.madeBy);
}

export function createOf(spec: Spec, list: Operation): Operation | undefined {
  return spec.operations.find(
    (operation) => operation.kind === "create" && listOf(spec, operation)?.id === list.id,
  );
}

/**
 * True if an operation reads reference data (section 5.3): it takes no space, while every write takes one.
 */
export function isReference(spec: Spec, { space, kind }: Operation): boolean {
  if (space !== undefined || (kind !== "list" && kind !== "read")) return false;
  const writes = spec.operations.filter((other) => other.kind === "create" || other.kind === "update");
  return writes.every((write) => write.space !== undefined);
}
