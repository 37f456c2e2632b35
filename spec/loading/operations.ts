import { definedOnly } from "../defined-only.ts";
import { appendPointer, isObject, type JsonObject, valueAt } from "../json.ts";
import type {
  ComparedField,
  ListShape,
  Operation,
  OperationKind,
  Parameter,
  ParameterRole,
  ReadBack,
  SameRecord,
  Schema,
} from "../model/spec.ts";
import { typesOf } from "../schema.ts";
import type { SchemaIndex } from "../schema-index.ts";
import { operationsIn } from "./document.ts";

export interface RawOperation {
  id: string;
  key: string;
  method: string;
  path: string;
  at: string;
  open: boolean;
  value: JsonObject;
  parameters: JsonObject[];
  places: string[];
  response: Schema | undefined;
  body: Schema | undefined;
}

/** Returns the operation with what its extensions and schemas say of it. */
export function buildOperation(raw: RawOperation, schemas: SchemaIndex): Operation {
  const built = raw.parameters.map((parameter) => buildParameter(parameter, schemas));
  const named = raw.value["x-shape"] === "named";
  const response = named ? undefined : raw.response;
  const result = response && schemas.at(response, "/result");
  const isList = result !== undefined && typesOf(result).includes("array");
  const resource = isList ? result.items : response && schemas.flatten(response).properties?.result;
  const parameters = built.map((parameter) => withMask(parameter, resource, schemas));
  const role = (name: ParameterRole) => parameters.find((parameter) => parameter.role === name);
  const kind = named ? "named" : operationKindOf(raw.method, isList);
  const list = kind === "list" && response ? listShape(parameters, schemas, response, resource) : undefined;
  const inPath = [...raw.path.matchAll(/\{([^}]+)\}/g)].flatMap(([, name]) =>
    parameters.filter((parameter) => parameter.in === "path" && parameter.name === name),
  );
  const pathParameter = kind === "list" || kind === "create" ? undefined : inPath.at(-1);
  const optional = {
    since: raw.value["x-since"] as string | undefined,
    open: raw.open ? (true as const) : undefined,
    version: role("version"),
    space: role("space"),
    idempotencyKey: role("idempotency-key"),
    pathParameter,
    body: named ? undefined : raw.body,
    response,
    resource,
    list,
    sameRecord: sameRecord(raw.value["x-same-record"]),
    readBack: raw.value["x-read-back"] as ReadBack | undefined,
  };
  return {
    key: raw.key,
    id: raw.id,
    method: raw.method,
    path: raw.path,
    summary: String(raw.value.summary ?? ""),
    section: String(raw.value["x-section"] ?? "4"),
    kind,
    parameters,
    outer: inPath.filter((parameter) => parameter !== pathParameter),
    ...definedOnly(optional),
  };
}

function operationKindOf(method: string, isList: boolean): OperationKind {
  if (method === "GET") return isList ? "list" : "read";
  if (method === "POST") return "create";
  if (method === "PATCH" || method === "PUT") return "update";
  return "other";
}

/** Adds the bounds that an enumeration or a step implies. */
function withBounds(schema: Schema): Schema {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const sizes = (schema.enum ?? []).filter((option) => typeof option === "number");
  if (sizes.length > 0) return { ...rest, minimum: Math.min(...sizes), maximum: Math.max(...sizes) };
  const step = schema.multipleOf ?? 1;
  const minimum = exclusiveMinimum === undefined ? schema.minimum : exclusiveMinimum + 1;
  const maximum = exclusiveMaximum === undefined ? schema.maximum : exclusiveMaximum - 1;
  return {
    ...rest,
    ...(minimum === undefined && step === 1 ? {} : { minimum: Math.ceil((minimum ?? 1) / step) * step }),
    ...(maximum === undefined ? {} : { maximum: Math.floor(maximum / step) * step }),
  };
}

/** Returns the parameter with its role, which is plain if no extension names another. */
function buildParameter(raw: JsonObject, schemas: SchemaIndex): Parameter {
  const filter = raw["x-filter"] as string | undefined;
  const schema = schemas.flatten((raw.schema ?? {}) as Schema);
  return {
    name: String(raw.name),
    in: raw.in as Parameter["in"],
    required: raw.required === true,
    schema: raw["x-role"] === "page-size" ? withBounds(schema) : schema,
    role: (raw["x-role"] as ParameterRole | undefined) ?? (filter === undefined ? "other" : "filter"),
    requirements: (raw["x-requirements"] as Parameter["requirements"] | undefined) ?? {},
    ...definedOnly({
      cursor: raw["x-cursor"] as Parameter["cursor"],
      filter,
      valuesFrom: raw["x-values-from"] as Parameter["valuesFrom"],
      fixture: raw["x-fixture"] as Parameter["fixture"],
      madeBy: raw["x-made-by"] as string | undefined,
    }),
  };
}

function withMask(parameter: Parameter, resource: Schema | undefined, schemas: SchemaIndex): Parameter {
  const { filter } = parameter;
  const field = filter === undefined ? undefined : resource && schemas.at(resource, filter);
  const isMaskable = field?.["x-maskable"] === true || field?.["x-secret"] === true;
  return isMaskable ? { ...parameter, isMaskable } : parameter;
}

/** Returns how the list filters, pages and counts, from the roles of its parameters. */
function listShape(
  parameters: Parameter[],
  schemas: SchemaIndex,
  response: Schema,
  resource: Schema | undefined,
): ListShape {
  const role = (name: ParameterRole) => parameters.find((parameter) => parameter.role === name);
  return {
    filters: parameters.filter((parameter) => parameter.role === "filter"),
    total: schemas.at(response, "/pagination")?.required?.includes("total") ?? false,
    identity: resource && schemas.flatten(resource)["x-identity"],
    ...definedOnly({ limit: role("page-size"), after: role("cursor-after"), before: role("cursor-before") }),
  };
}

/** Returns `x-same-record` with its defaults filled in. */
function sameRecord(value: unknown): SameRecord | undefined {
  if (value === undefined) return undefined;
  const raw = value as {
    list: string;
    by: string[];
    requirement?: string;
    fields: "all" | Record<string, string | (Omit<ComparedField, "compare"> & Partial<ComparedField>)>;
  };
  const fields: SameRecord["fields"] =
    raw.fields === "all"
      ? "all"
      : Object.fromEntries(
          Object.entries(raw.fields).map(([own, other]) => [
            own,
            typeof other === "string"
              ? { field: other, compare: "equal" as const }
              : { ...other, compare: other.compare ?? "equal" },
          ]),
        );
  return { list: raw.list, by: raw.by, requirement: raw.requirement ?? "READ-MATCHES-LIST", fields };
}

/** Returns the operations with the references of their parameters followed, before their schemas are read. */
export function rawOperations(document: JsonObject): RawOperation[] {
  return operationsIn(document).map(({ path, method, item, operation }) => {
    const at = ["paths", path, method].reduce(appendPointer, "");
    // A parameter of the operation replaces that of its path.
    const parameters = new Map<string, [value: JsonObject, pointer: string]>();
    for (const pointer of [
      ...parameterPointers(item.parameters, ["paths", path].reduce(appendPointer, "")),
      ...parameterPointers(operation.parameters, at),
    ]) {
      const [value, place] = dereferenced(document, pointer);
      const parameter = value as JsonObject;
      parameters.set(`${String(parameter.in)} ${String(parameter.name)}`, [parameter, place]);
    }
    const hasResponse = isObject(operation.responses) && operation.responses["200"] !== undefined;
    const hasBody = operation.requestBody !== undefined;
    return {
      id: String(operation.operationId),
      key: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      at,
      open: isOpen(operation.security ?? document.security ?? []),
      value: operation,
      parameters: [...parameters.values()].map(([parameter]) => parameter),
      places: [...parameters.values()].map(([, place]) => place),
      response: hasResponse ? contentSchema(document, `${at}/responses/200`) : undefined,
      body: hasBody ? contentSchema(document, `${at}/requestBody`) : undefined,
    };
  });
}

function isOpen(security: unknown): boolean {
  return (
    Array.isArray(security) &&
    (security.length === 0 || security.some((wanted) => Object.keys(wanted).length === 0))
  );
}

function parameterPointers(parameters: unknown, base: string): string[] {
  return Array.isArray(parameters) ? parameters.map((_, index) => `${base}/parameters/${index}`) : [];
}

function contentSchema(document: JsonObject, pointer: string): RawOperation["body"] {
  const [value] = dereferenced(document, pointer);
  return valueAt(value, "/content/application~1json/schema") as RawOperation["body"];
}

/** Follows references, at most 32 so that circles end, and returns the value and its JSON pointer. */
function dereferenced(document: JsonObject, pointer: string): [value: unknown, pointer: string] {
  let at = pointer;
  let value = valueAt(document, at);
  for (let steps = 0; steps < 32 && isObject(value) && typeof value.$ref === "string"; steps++) {
    at = value.$ref.slice(1);
    value = valueAt(document, at);
  }
  return [value, at];
}
