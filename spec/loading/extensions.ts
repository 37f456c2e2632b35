import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../extensions.schema.json" with { type: "json" };
import { createAjv } from "../formats.ts";
import { walkJson } from "../json.ts";
import { Mistakes, type YamlSource } from "./source.ts";

type Path = readonly (string | number)[];

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function kindAt(path: Path): "root" | "operation" | "parameter" | "schema" {
  if (path.length === 0) return "root";
  if (path.length === 3 && path[0] === "paths" && METHODS.has(String(path[2]))) return "operation";
  const parent = path[path.length - 2];
  const inPathItem = path[0] === "paths" && (path.length === 4 || path.length === 5);
  if (parent === "parameters" && (inPathItem || path.length === 3)) return "parameter";
  return "schema";
}

interface KnownNames {
  requirements: ReadonlySet<string> | undefined;
  operations: ReadonlySet<string>;
}

interface Extension {
  where: string[];
  validate: ValidateFunction;
}

/**
 * Checks every extension of the document.
 * @throws Error with all wrong extensions of the edition
 */
export function checkExtensions(source: YamlSource, known: KnownNames): void {
  const extensions = knownExtensions(known);
  const mistakes = new Mistakes();
  walkJson(source.value, (value, path) => {
    const key = path.at(-1);
    // A property or example may itself have a name with x-.
    const isData = path.at(-2) === "properties" || path.at(-2) === "examples";
    const isExtension = typeof key === "string" && key.startsWith("x-") && !isData;
    if (isExtension) mistakes.in(() => checkExtension(source, extensions, path, value));
    return !isExtension || key === "x-send";
  });
  mistakes.throwAll();
}

function knownExtensions(known: KnownNames): Map<string, Extension> {
  const ajv = createAjv();
  ajv.addFormat("requirement-id", {
    type: "string",
    validate: (id: string) => known.requirements?.has(id) ?? true,
  });
  ajv.addFormat("operation-id", { type: "string", validate: (id: string) => known.operations.has(id) });
  ajv.addSchema(schema);
  return new Map(
    Object.entries(schema.properties).map(([name, entry]) => {
      const validate = ajv.compile({ $ref: `${schema.$id}#/properties/${name}` });
      return [name, { where: entry["x-where"], validate }];
    }),
  );
}

function checkExtension(
  source: YamlSource,
  extensions: ReadonlyMap<string, Extension>,
  path: Path,
  value: unknown,
): void {
  const name = String(path.at(-1));
  const extension = extensions.get(name);
  if (!extension) throw source.error(path, `unknown extension ${name}; spec/README.md lists the known ones`);
  const place = kindAt(path.slice(0, -1));
  if (!extension.where.includes(place))
    throw source.error(path, `${name} belongs on ${extension.where.join(" or ")}, not on a ${place}`);
  if (!extension.validate(value))
    throw source.error(path, `${name}: ${mistakeIn(extension.validate.errors ?? [])}`);
}

function mistakeIn(errors: ErrorObject[]): string {
  const error = errors[0];
  if (!error) return "invalid";
  if (error.keyword === "format" && error.params.format === "requirement-id") {
    return `unknown requirement ${String(error.data)}`;
  }
  if (error.keyword === "format" && error.params.format === "operation-id") {
    return `unknown operation ${String(error.data)}`;
  }
  const { allowedValues, additionalProperty } = error.params as {
    allowedValues?: unknown[];
    additionalProperty?: string;
  };
  const more = allowedValues
    ? `: ${allowedValues.join(", ")}`
    : additionalProperty
      ? `: ${additionalProperty}`
      : "";
  return `${error.instancePath} ${error.message ?? ""}${more}`.trim();
}
