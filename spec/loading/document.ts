/** Refuses unknown parts of the document: a misspelt one would have no check. */

import { isObject, type JsonObject, valueAt } from "../json.ts";
import { didYouMean } from "../nearest.ts";
import { Mistakes, type YamlSource } from "./source.ts";

type Path = readonly (string | number)[];

export const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"] as const;

const ROOT = "openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs";
const PATH_ITEM = `summary description servers parameters trace ${METHODS.join(" ")}`;
const OPERATION =
  "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers";
const PARAMETER =
  "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content";
const BODY = "description content required";
const RESPONSE = "description headers content links";
const MEDIA = "schema example examples encoding";

const WITHOUT_SHAPE = new Set(["delete", "head", "options"]);

/**
 * Expects valid references in the document.
 * @throws SpecError with all mistakes
 */
export function checkDocument(source: YamlSource, document: JsonObject): void {
  new DocumentReader(source, document).read();
}

class DocumentReader {
  constructor(
    private readonly source: YamlSource,
    private readonly document: JsonObject,
  ) {}

  /** Checks the whole document. @throws SpecError with all mistakes */
  read(): void {
    const { openapi, info, paths, components } = this.document;
    if (typeof openapi !== "string" || !/^3\.1\.\d+$/.test(openapi)) {
      const given = openapi === undefined ? "no openapi" : `openapi ${JSON.stringify(openapi)}`;
      throw this.source.error(["openapi"], `this has ${given}; OpenAPI 3.1 is needed, as openapi: 3.1.0`);
    }
    const each = (step: () => void) => this.#mistakes.in(step);
    each(() => this.#known(this.document, [], ROOT, "the document"));
    each(() => {
      if (!isObject(info) || typeof info.title !== "string" || info.title === "")
        throw this.source.error(["info"], "info needs a title");
    });
    for (const path of Object.keys(paths as JsonObject)) each(() => this.#pathItem(path));
    each(() => {
      if (this.#mistakes.none && this.#operations === 0)
        throw this.source.error(["paths"], "no path has an operation");
    });
    if (components !== undefined) each(() => this.#components(components));
    each(() => this.#security(["components", "securitySchemes"]));
    this.#mistakes.throwAll();
  }

  readonly #mistakes = new Mistakes();

  #operations = 0;

  #known(value: JsonObject, path: Path, words: string, what: string): void {
    const known = words.split(" ");
    for (const key of Object.keys(value)) {
      if (key.startsWith("x-") || known.includes(key)) continue;
      throw this.source.error([...path, key], `${what} has no ${key}${didYouMean(key, known)}`);
    }
  }

  #resolved(path: Path, section: string, what: string): { value: JsonObject; path: Path } {
    let at = path;
    for (;;) {
      const value = at.reduce<unknown>((holder, key) => (holder as JsonObject)[key], this.document);
      if (!isObject(value)) throw this.source.error(at, `${what} is an object`);
      if (typeof value.$ref !== "string") return { value, path: at };
      const [, name, ...rest] = value.$ref.split(`#/components/${section}/`);
      if (name === undefined || rest.length > 0 || name.includes("/"))
        throw this.source.error([...at, "$ref"], `${what} can only refer to #/components/${section}/NAME`);
      at = ["components", section, name.replaceAll("~1", "/").replaceAll("~0", "~")];
    }
  }

  #pathItem(name: string): void {
    const path = ["paths", name];
    const item = valueAt(this.document.paths, `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (!isObject(item)) throw this.source.error(path, "a path needs operations");
    if (!/^\/([^{}?#\s]|\{[^{}/?#\s]+\})*$/.test(name))
      throw this.source.error(path, `a path begins with /, and its parameters stand in {}: ${name}`);
    this.#known(item, path, PATH_ITEM, "a path");
    const shared = this.#parameters(item.parameters, [...path, "parameters"]);
    for (const method of METHODS) {
      if (item[method] !== undefined)
        this.#mistakes.in(() => this.#operation(name, method, item[method], shared));
    }
  }

  #operation(name: string, method: string, operation: unknown, shared: Map<string, JsonObject>): void {
    this.#operations++;
    const path = ["paths", name, method];
    const key = `${method.toUpperCase()} ${name}`;
    if (!isObject(operation) || typeof operation.operationId !== "string" || operation.operationId === "")
      throw this.source.error(path, `${key} has no operationId`);
    this.#known(operation, path, OPERATION, key);
    this.#mistakes.in(() => {
      const own = this.#parameters(operation.parameters, [...path, "parameters"]);
      this.#pathParameters(name, path, key, new Map([...shared, ...own]));
    });
    this.#mistakes.in(() => this.#body(operation, path, method, key));
    this.#mistakes.in(() => this.#responses(operation, path, method, key));
    this.#mistakes.in(() => this.#bearerOnly(operation.security, [...path, "security"]));
  }

  #parameters(list: unknown, path: Path): Map<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    if (list === undefined) return found;
    if (!Array.isArray(list)) throw this.source.error(path, "parameters are a list");
    for (const index of list.keys()) {
      const at = [...path, index];
      const parameter = this.#parameter(at);
      const id = `${String(parameter.in)} ${String(parameter.name)}`;
      if (found.has(id)) throw this.source.error(at, `a second ${id}`);
      found.set(id, parameter);
    }
    return found;
  }

  #parameter(place: Path): JsonObject {
    const { value, path } = this.#resolved(place, "parameters", "a parameter");
    if (typeof value.name !== "string" || value.name === "")
      throw this.source.error(path, "a parameter needs a name");
    const what = `the parameter ${value.name}`;
    this.#known(value, path, PARAMETER, what);
    if (value.in !== "query" && value.in !== "header" && value.in !== "path")
      throw this.source.error([...path, "in"], `${what} is in: query, header or path`);
    if (!isObject(value.schema)) throw this.source.error(path, `${what} needs a schema`);
    if (value.in === "path" && value.required !== true)
      throw this.source.error(path, `${what} is in the path, so it is required: true`);
    return value;
  }

  #pathParameters(name: string, path: Path, key: string, parameters: Map<string, JsonObject>): void {
    const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map(([, each]) => each ?? "");
    const declared = [...parameters.values()]
      .filter((each) => each.in === "path")
      .map(({ name: each }) => each);
    const undeclared = inPath.find((each) => !declared.includes(each));
    if (undeclared !== undefined) {
      const known = declared.length === 0 ? "" : `; its path parameters are ${declared.join(", ")}`;
      throw this.source.error(path, `${key} has no parameter in: path for {${undeclared}}${known}`);
    }
    const idle = declared.find((each) => !inPath.includes(String(each)));
    if (idle !== undefined)
      throw this.source.error(path, `${key} has a path parameter ${String(idle)}, and no {${String(idle)}}`);
  }

  #body(operation: JsonObject, path: Path, method: string, key: string): void {
    if (operation.requestBody === undefined) {
      if ((method === "patch" || method === "put") && operation["x-shape"] !== "named")
        throw this.source.error(path, `${key} needs a requestBody: what it can change`);
      return;
    }
    if (method !== "post" && method !== "patch" && method !== "put")
      throw this.source.error([...path, "requestBody"], `${key} is sent without a body`);
    const body = this.#resolved([...path, "requestBody"], "requestBodies", "a request body");
    this.#known(body.value, body.path, BODY, "a request body");
    this.#jsonSchema(body.value, body.path, `the body of ${key}`);
  }

  #responses(operation: JsonObject, path: Path, method: string, key: string): void {
    const { responses } = operation;
    if (!isObject(responses)) throw this.source.error(path, `${key} needs responses`);
    for (const status of Object.keys(responses)) {
      if (status.startsWith("x-")) continue;
      if (!/^([1-5](\d\d|XX)|default)$/.test(status))
        throw this.source.error([...path, "responses", status], `${status} is no status: 200, 4XX, default`);
      const response = this.#resolved([...path, "responses", status], "responses", "a response");
      this.#known(response.value, response.path, RESPONSE, "a response");
    }
    if (operation["x-shape"] === "named" || WITHOUT_SHAPE.has(method)) return;
    if (responses["200"] === undefined) {
      throw this.source.error(
        [...path, "responses"],
        `${key} has no response 200, the status of every success; x-shape: named where none is shown`,
      );
    }
    const response = this.#resolved([...path, "responses", "200"], "responses", "a response");
    this.#jsonSchema(response.value, response.path, `the answer 200 to ${key}`);
  }

  #jsonSchema({ content }: JsonObject, path: Path, what: string): void {
    const media = isObject(content) ? content["application/json"] : undefined;
    if (!isObject(media) || !isObject(media.schema))
      throw this.source.error(path, `${what} needs content: application/json with a schema`);
    this.#known(media, [...path, "content", "application/json"], MEDIA, "a media type");
  }

  #components(components: unknown): void {
    if (!isObject(components)) throw this.source.error(["components"], "components are an object");
    const kinds =
      "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems";
    this.#known(components, ["components"], kinds, "components");
    const section = (name: string): string[] => {
      const value = components[name];
      if (value === undefined) return [];
      if (!isObject(value)) throw this.source.error(["components", name], `${name} are an object`);
      return Object.keys(value);
    };
    for (const name of section("parameters"))
      this.#mistakes.in(() => void this.#parameter(["components", "parameters", name]));
    for (const name of section("schemas")) {
      this.#mistakes.in(() => {
        if (!isObject(valueAt(components.schemas, `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)))
          throw this.source.error(["components", "schemas", name], `the schema ${name} is an object`);
      });
    }
    section("responses");
    section("requestBodies");
  }

  #security(path: Path): void {
    this.#bearerOnly(this.document.security, ["security"]);
    const schemes = valueAt(this.document, "/components/securitySchemes");
    if (schemes !== undefined && !isObject(schemes))
      throw this.source.error(path, "securitySchemes are an object");
  }

  #bearerOnly(security: unknown, path: Path): void {
    if (security === undefined) return;
    if (!Array.isArray(security)) throw this.source.error(path, "security is a list");
    for (const [index, wanted] of security.entries()) {
      if (!isObject(wanted)) throw this.source.error([...path, index], "security is a list of objects");
      for (const name of Object.keys(wanted)) {
        const scheme = valueAt(this.document, `/components/securitySchemes/${name}`);
        if (!isObject(scheme))
          throw this.source.error([...path, index], `components has no security scheme ${name}`);
        if (scheme.type !== "http" || String(scheme.scheme).toLowerCase() !== "bearer") {
          throw this.source.error(
            ["components", "securitySchemes", name],
            `${name} is not of type: http, scheme: bearer; the suite authenticates in no other way`,
          );
        }
      }
    }
  }
}
