import { listsOf, namedListsOf } from "../history/lists/lists-of-creates.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { isPart } from "../spec/operations.ts";
import { typesOf } from "../spec/schema.ts";

/** Returns the documented list that shows created resources. */
export function listOf(spec: Spec, create: Operation): Operation | undefined {
  return listsOf(spec, create)[0];
}

/** Returns the undocumented list that may show created resources. */
export function namedListOf(spec: Spec, create: Operation): Operation | undefined {
  return namedListsOf(spec, create)[0];
}

/** Returns the type of a resource in words, such as `financial account`. */
export function resourceTypeOf(spec: Spec, operation: Operation): string {
  const name = operation.resource && spec.schemas.componentName(operation.resource);
  if (name !== undefined) return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
  const parts = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return parts.at(-1) ?? operation.id;
}

/** Returns the name of a required text field that can hold the run tag. */
export function taggedField(spec: Spec, operation: Operation): string | undefined {
  return spec.schemas.required(operation.body).find((name) => {
    const schema = spec.schemas.field(operation.body, name);
    const free = !RULES_OF_FORM.some((rule) => schema[rule] !== undefined);
    return (
      typesOf(schema).includes("string") && free && (schema.maxLength ?? TAG_CHARACTERS) >= TAG_CHARACTERS
    );
  });
}

const RULES_OF_FORM = ["format", "enum", "const", "pattern", "examples", "x-values-from", "x-send"] as const;
const TAG_CHARACTERS = 16;

/** Returns the create of the resource that an update or a read names. */
export function makerOf(spec: Spec, operation: Operation): Operation | undefined {
  if (operation.kind === "create") return operation;
  return spec.operations.find(({ id }) => id === operation.pathParameter?.madeBy);
}

/** Returns the first update of created resources. */
export function updateOf(spec: Spec, create: Operation): Operation | undefined {
  return updatesOfMade(spec, create)[0];
}

/** Returns the updates of the resources that the create makes. */
export function updatesOfMade({ operations }: Spec, create: Operation): Operation[] {
  return operations.filter(
    ({ kind, body, pathParameter }) => kind === "update" && body && pathParameter?.madeBy === create.id,
  );
}

/** Returns the read of the resources that the operation with this id makes. */
export function readOf(spec: Spec, madeBy: string | undefined): Operation | undefined {
  return spec.operations.find(
    (operation) =>
      operation.kind === "read" &&
      madeBy !== undefined &&
      operation.pathParameter?.madeBy === madeBy &&
      !isPart(spec, operation),
  );
}

/** Returns the create whose resources the list shows. */
export function createOf(spec: Spec, list: Operation): Operation | undefined {
  return spec.operations.find(
    (operation) => operation.kind === "create" && listOf(spec, operation)?.id === list.id,
  );
}

/** True for reference data (section 5.3): it takes no space, but every write does. */
export function isReference(spec: Spec, { space, kind }: Operation): boolean {
  if (space !== undefined || (kind !== "list" && kind !== "read")) return false;
  const writes = spec.operations.filter((other) => other.kind === "create" || other.kind === "update");
  return writes.every((write) => write.space !== undefined);
}
