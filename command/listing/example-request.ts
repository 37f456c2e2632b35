import type { Operation, Parameter, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";

/** Returns the lines of an example request with all required parts. */
export function exampleRequest(operation: Operation, spec: Spec): string[] {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const query = required
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => `${parameter.name}=${placeholderOf(parameter)}`);
  const headers = required
    .filter((parameter) => parameter.in === "header")
    .map((parameter) => `${parameter.name}: ${placeholderOf(parameter)}`);
  const target = operation.path + (query.length > 0 ? `?${query.join("&")}` : "");
  const head = [`${operation.method} ${target}`, "Authorization: Bearer <token>", ...headers];
  if (operation.body === undefined) return head;
  return [...head, "Content-Type: application/json", "", ...exampleBody(operation.body, spec)];
}

function placeholderOf(parameter: Parameter): string {
  if (parameter.role === "space") return "<space>";
  const { valuesFrom } = parameter;
  return `<${valuesFrom?.fixture ?? parameter.name}>`;
}

/** Returns the lines of a body with the required fields, each with a placeholder. */
function exampleBody(schema: Schema, spec: Spec): string[] {
  const { required = [], properties = {} } = spec.schemas.flatten(schema);
  if (required.length === 0) {
    return ["{}", "", `with any of ${Object.keys(properties).join(", ")}`];
  }
  const fields = required.map(
    (name) => `${JSON.stringify(name)}: ${typePlaceholder(properties[name], spec)}`,
  );
  return [`{ ${fields.join(", ")} }`];
}

function typePlaceholder(schema: Schema | undefined, spec: Spec): string {
  const types = schema === undefined ? [] : typesOf(spec.schemas.flatten(schema));
  return `<${types.length > 0 ? types.join(" or ") : "any"}>`;
}
