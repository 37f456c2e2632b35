/** Refuses references to missing fields or lists: their checks would test nothing. */

import { appendPointer, pointerTokens } from "../json.ts";
import type { Operation, OperationKind, Parameter, ParameterRole, Schema, Spec } from "../model/spec.ts";
import { didYouMean } from "../nearest.ts";
import { typesOf } from "../schema.ts";
import type { RawOperation } from "./operations.ts";
import { Mistakes, type SpecError, type YamlSource } from "./source.ts";

const HEADER_ROLES: readonly ParameterRole[] = ["version", "space", "idempotency-key"];
const LIST_ROLES: readonly ParameterRole[] = ["page-size", "cursor-after", "cursor-before"];

/**
 * Checks the names by which extensions refer to other parts of the edition.
 * @throws SpecError if an extension names an operation, a field or a requirement that does not exist
 */
export function checkLinks(source: YamlSource, spec: Spec, raw: readonly RawOperation[]): void {
  const links = new Links(source, spec);
  for (const [index, operation] of spec.operations.entries()) {
    const own = raw[index];
    if (own) links.mistakes.in(() => links.operation(operation, own));
  }
  links.schemas();
  links.mistakes.throwAll();
}

class Links {
  readonly mistakes = new Mistakes();

  constructor(
    private readonly source: YamlSource,
    private readonly spec: Spec,
  ) {}

  #error(place: string | undefined, message: string): SpecError {
    return this.source.error(place === undefined ? [] : pointerTokens(place), message);
  }

  /** Checks the names by which an operation refers to others. */
  operation(operation: Operation, raw: RawOperation): void {
    const { key, kind } = operation;
    const { at } = raw;
    const each = <T>(step: () => T) => this.mistakes.in(step);
    each(() => {
      if (operation.since !== undefined && !this.spec.versions.includes(operation.since))
        throw this.#error(`${at}/x-since`, `x-since: x-versions lacks ${operation.since}`);
    });
    if (kind === "named" || kind === "other") return;
    // Without the envelope, nothing else in a response can be found.
    if (!each(() => this.#envelope(operation, at, ["/result"]))) return;
    const roles = new Map<ParameterRole, Parameter>();
    for (const [index, parameter] of operation.parameters.entries()) {
      const place = raw.places[index] ?? at;
      each(() => {
        this.#parameter(operation, parameter, place);
        if (parameter.role === "other" || parameter.role === "filter") return;
        if (roles.has(parameter.role))
          throw this.#error(place, `${key} has two parameters with x-role: ${parameter.role}`);
        roles.set(parameter.role, parameter);
      });
    }
    if (operation.list?.after) each(() => this.#envelope(operation, at, ["/pagination/next"]));
    each(() => this.#shapes(operation, at));
    each(() => this.#pathParameter(operation, at));
    each(() => this.#sameRecord(operation, `${at}/x-same-record`));
    each(() => this.#readBack(operation, `${at}/x-read-back`));
  }

  /** Checks that answers have the resource and the cursor at the places that the suite reads. */
  #envelope({ key, response }: Operation, at: string, names: readonly string[]): true {
    const { schemas } = this.spec;
    const place = `${at}/responses/200`;
    const shown = (pointer: string) => response !== undefined && schemas.at(response, pointer) !== undefined;
    const needed = names.find((name) => !shown(name));
    if (needed !== undefined) {
      throw this.#error(
        place,
        `the answer 200 to ${key} has no ${needed.slice(1)}; these names are fixed: spec/README.md, The envelope`,
      );
    }
    return true;
  }

  #shapes({ key, kind, resource, body }: Operation, at: string): void {
    const { schemas } = this.spec;
    if (!resource || (kind !== "list" && !isObjectSchema(schemas.flatten(resource))))
      throw this.#error(`${at}/responses/200`, `result of ${key} is an object, or a list with items`);
    if (body && !isObjectSchema(schemas.flatten(body)))
      throw this.#error(`${at}/requestBody`, `the body of ${key} is not of type: object`);
  }

  #parameter(operation: Operation, parameter: Parameter, place: string): void {
    const { name, role } = parameter;
    const what = `the parameter ${name} of ${operation.key}`;
    const types = typesOf(parameter.schema);
    if (HEADER_ROLES.includes(role) && parameter.in !== "header")
      throw this.#error(place, `${what}: x-role: ${role} is for a header`);
    if (LIST_ROLES.includes(role) && (parameter.in !== "query" || operation.kind !== "list"))
      throw this.#error(place, `${what}: x-role: ${role} is for a query parameter of a list`);
    const cursor = role === "cursor-after" || role === "cursor-before";
    if (cursor !== (parameter.cursor !== undefined))
      throw this.#error(place, `${what}: a cursor has both x-role and x-cursor`);
    if (role === "page-size" && !types.includes("integer"))
      throw this.#error(place, `${what}: a page size is of type: integer`);
    if (types.includes("array") || types.includes("object"))
      throw this.#error(place, `${what} is a list or an object; parameters are sent as single values`);
    if (parameter.filter !== undefined) {
      if (parameter.in !== "query" || operation.kind !== "list")
        throw this.#error(place, `${what}: x-filter is for a query parameter of a list`);
      const field = this.#field(operation.resource, parameter.filter, `${place}/x-filter`);
      if (typesOf(field).some((type) => type === "array" || type === "object"))
        throw this.#error(`${place}/x-filter`, `${parameter.filter} is no single value to compare with`);
    }
    const nothing = parameter.requirements["nothing-found"];
    if (nothing !== undefined && parameter.schema.format !== "country-code")
      throw this.#error(place, `${what}: nothing-found is for values of format: country-code`);
  }

  #pathParameter({ key, kind, outer, pathParameter, sameRecord }: Operation, at: string): void {
    for (const { name, madeBy, fixture } of outer) {
      if (madeBy !== undefined) this.#operation(madeBy, "create", at, "x-made-by");
      else if (fixture?.read === undefined) {
        const ways = "x-made-by, x-fixture: { read: NAME }";
        throw this.#error(at, `nothing says which {${name}} ${key} can use: ${ways}`);
      }
    }
    if (!pathParameter) {
      if (kind === "update") throw this.#error(at, `${key} updates nothing: its path has no parameter`);
      return;
    }
    const { madeBy, fixture } = pathParameter;
    if (madeBy !== undefined) {
      const create = this.#operation(madeBy, "create", at, "x-made-by");
      if (!create.body) throw this.#error(at, `x-made-by: ${create.key} takes no body`);
      return;
    }
    const given = kind === "update" ? fixture?.write : fixture?.read;
    if (given === undefined && !(kind === "read" && sameRecord)) {
      const which =
        kind === "update" ? "x-fixture: { write: NAME }" : "x-fixture: { read: NAME }, x-same-record";
      throw this.#error(at, `nothing says which {${pathParameter.name}} ${key} can use: x-made-by, ${which}`);
    }
  }

  #sameRecord(operation: Operation, place: string): void {
    const { sameRecord, kind, key } = operation;
    if (!sameRecord) return;
    if (kind !== "read" || !operation.pathParameter)
      throw this.#error(place, `x-same-record is for a read with a path parameter, which ${key} is not`);
    const { resource } = this.#operation(sameRecord.list, "list", place, "x-same-record");
    for (const name of sameRecord.by) this.#field(resource, `/${name}`, place);
    if (sameRecord.fields === "all") return;
    for (const [own, { field }] of Object.entries(sameRecord.fields)) {
      this.#field(operation.resource, `/${own}`, `${place}/fields`);
      this.#field(resource, `/${field}`, `${place}/fields`);
    }
  }

  #readBack({ readBack, kind, key }: Operation, place: string): void {
    if (!readBack) return;
    if (kind !== "update") throw this.#error(place, `x-read-back is for an update, which ${key} is not`);
    if (readBack.read !== undefined) this.#operation(readBack.read, "read", place, "x-read-back");
    if (readBack.list !== undefined) this.#operation(readBack.list, "list", place, "x-read-back");
  }

  #operation(id: string, kind: OperationKind, place: string, extension: string): Operation {
    const found = this.spec.operations.find((operation) => operation.id === id);
    if (found?.kind === kind) return found;
    throw this.#error(place, `${extension}: ${id} is not a ${kind}`);
  }

  #field(resource: Schema | undefined, pointer: string, place: string): Schema {
    const { schemas } = this.spec;
    const found = resource && schemas.at(resource, pointer);
    if (found) return found;
    const names = Object.keys((resource && schemas.flatten(resource).properties) ?? {});
    const known = names.map((name) => `/${name}`);
    throw this.#error(place, `there is no field ${pointer} to compare with${didYouMean(pointer, known)}`);
  }

  /** Checks the names by which schemas refer to requirements, lists and fields. */
  schemas(): void {
    const { schemas } = this.spec;
    const parts = this.#partsOfComposed();
    for (const schema of schemas.all()) {
      const place = schemas.pointerOf(schema) ?? "";
      this.mistakes.in(() => this.#levels(schema, place));
      this.mistakes.in(() => this.#sources(schema, place));
      // A part of allOf, anyOf or oneOf may name fields of other parts.
      if (schema.$ref === undefined && !parts.has(schema)) this.mistakes.in(() => this.#names(schema, place));
      this.mistakes.in(() => this.#examples(schema, place));
    }
  }

  #partsOfComposed(): Set<Schema> {
    const { schemas } = this.spec;
    const parts = new Set<Schema>();
    for (const schema of schemas.all()) {
      for (const key of ["allOf", "anyOf", "oneOf"] as const) {
        for (const part of schema[key] ?? []) parts.add(part).add(schemas.resolve(part));
      }
    }
    return parts;
  }

  #names(schema: Schema, place: string): void {
    const flat = this.spec.schemas.flatten(schema);
    const { properties } = flat;
    const named: [keyword: string, names: string[]][] = [
      ["required", properties ? (schema.required ?? []) : []],
      ["x-expected", schema["x-expected"] ?? []],
      ["x-fixed", schema["x-fixed"] ?? []],
      ["x-identity", schema["x-identity"] === undefined ? [] : [schema["x-identity"]]],
    ];
    for (const [keyword, names] of named) {
      const missing = names.find((name) => !Object.hasOwn(properties ?? {}, name));
      if (missing === undefined) continue;
      throw this.#error(
        `${place}/${keyword}`,
        `${keyword}: there is no property ${missing}${didYouMean(missing, Object.keys(properties ?? {}))}`,
      );
    }
    for (const { relation, fields, when } of schema["x-relations"] ?? []) {
      const due = relation === "past" || relation === "to-come" ? 1 : 2;
      if (fields.length !== due)
        throw this.#error(`${place}/x-relations`, `x-relations: ${relation} is about ${due} of the fields`);
      for (const field of [...fields, when?.field])
        if (field !== undefined) this.#field(flat, field, `${place}/x-relations`);
    }
    const { "x-deliveries": deliveries } = schema;
    for (const field of Object.values(deliveries ?? {}))
      this.#field(flat, `/${field}`, `${place}/x-deliveries`);
  }

  /** Checks the levels of requirements that schemas name. These extensions only note, so they need a NOTE. */
  #levels(schema: Schema, place: string): void {
    for (const keyword of ["x-observe", "x-initial", "x-open"] as const) {
      const id = schema[keyword];
      const level = id === undefined ? undefined : this.spec.requirements.get(id)?.level;
      if (level !== undefined && level !== "NOTE")
        throw this.#error(`${place}/${keyword}`, `${keyword}: ${id} is a ${level}, and a NOTE is needed`);
    }
    if (schema["x-unique"]?.scope === "service" && schema["x-unique"].requirement === undefined)
      throw this.#error(`${place}/x-unique`, "x-unique: scope: service needs the requirement that it breaks");
  }

  #sources(schema: Schema, place: string): void {
    const { "x-values-from": from, "x-references": references } = schema;
    if (from) this.valuesFrom(from, `${place}/x-values-from`);
    for (const list of references?.lists ?? []) {
      const { resource } = this.#operation(list, "list", `${place}/x-references`, "x-references");
      for (const field of references?.fields ?? [])
        this.#field(resource, `/${field}`, `${place}/x-references`);
      for (const pointer of references?.on ?? []) this.#field(resource, pointer, `${place}/x-references`);
    }
  }

  valuesFrom({ list, field }: NonNullable<Schema["x-values-from"]>, place: string): void {
    if ((list === undefined) !== (field === undefined))
      throw this.#error(place, "x-values-from: list and field go together");
    if (list === undefined || field === undefined) return;
    this.#field(this.#operation(list, "list", place, "x-values-from").resource, field, place);
  }

  /** Defaults and examples are sent unchanged. */
  #examples(schema: Schema, place: string): void {
    const { default: fallback, examples = [], "x-send": narrow } = schema;
    const { default: _, examples: __, "x-send": ___, ...rest } = schema;
    const wide = rest as Schema;
    const values = [
      ...(fallback === undefined ? [] : [["default", fallback] as const]),
      ...examples.map((example) => ["examples", example] as const),
      ...(narrow?.enum ?? []).map((value) => ["x-send", value] as const),
    ];
    for (const [keyword, value] of values) {
      const [fault] = keyword === "x-send" && !wide.type ? [] : this.spec.schemas.validate(wide, value);
      if (fault)
        throw this.#error(
          appendPointer(place, keyword),
          `${keyword}: ${JSON.stringify(value)} is not what the schema allows (${fault.expected})`,
        );
    }
  }
}

function isObjectSchema(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.length > 0 ? types.includes("object") : schema.properties !== undefined;
}
