import type { ErrorObject, SchemaValidateFunction, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { createAjv } from "../formats.ts";
import { appendPointer, isObject, type JsonObject, pointerTokens } from "../json.ts";
import { keptIn } from "../memoized.ts";
import type { Relation, Schema } from "../model/schema.ts";
import { isMultipleOf } from "../multiples.ts";
import { describeValue, elementSchema } from "../schema.ts";
import { describeExpectation } from "./expectation.ts";
import { distinctFaults, type Keyword, keywordOf } from "./keywords.ts";
import { type BrokenRelation, brokenRelation } from "./relations.ts";

export interface SchemaFault {
  pointer: string;
  keyword: Keyword;
  schema: Schema;
  requirement: string;
  expected: string;
  actual: string;
  related?: string[];
}

interface Document {
  pointerOf(schema: Schema): string | undefined;
  requirement(schema: Schema, keyword: Keyword, property?: string): string;
  fields(schema: Schema): [name: string, field: Schema][];
}

interface Context {
  now: number;
}

const DOCUMENT = "https://payments-conformance.invalid/openapi";

export class Validator {
  readonly #ajv: Ajv2020;
  readonly #compiled = new WeakMap<Schema, ValidateFunction>();
  /** Generators make equal schemas again and again. */
  readonly #compiledTexts = new Map<string, ValidateFunction>();

  constructor(
    content: unknown,
    private readonly document: Document,
  ) {
    this.#ajv = createAjv();
    addExtensions(this.#ajv);
    this.#addChoice("oneOf", (fitting) => fitting === 1);
    this.#addChoice("anyOf", (fitting) => fitting > 0);
    this.#ajv.addSchema(content as Record<string, unknown>, DOCUMENT);
  }

  faults(schema: Schema, value: unknown, now = Date.now()): SchemaFault[] {
    const validate = this.#compile(schema);
    const context: Context = { now };
    if (validate.call(context, value)) return [];
    const errors = this.#withoutTried(validate.errors ?? [], now);
    return distinctFaults(errors.flatMap((error) => this.#faultsOf(error)));
  }

  /** Leaves out why elements are not the ones that `contains` asks for, because they need not be. */
  #withoutTried(errors: ErrorObject[], now: number): ErrorObject[] {
    const lists = errors.filter(({ keyword }) => keyword === "contains");
    return errors.filter(({ instancePath }) => !lists.some((list) => this.#isTried(list, instancePath, now)));
  }

  /** True for a place in an element of the list that is valid at its own place. */
  #isTried({ instancePath, data, parentSchema }: ErrorObject, place: string, now: number): boolean {
    if (!place.startsWith(`${instancePath}/`) || !Array.isArray(data)) return false;
    const index = Number(pointerTokens(place.slice(instancePath.length))[0]);
    const own = elementSchema(parentSchema as Schema, index);
    return own === undefined || this.faults(own, data[index], now).length === 0;
  }

  /** Reports only faults of the branch that the value is meant for, unlike ajv. */
  #addChoice(keyword: "oneOf" | "anyOf", isRight: (fitting: number) => boolean): void {
    const validator = this;
    const validate: SchemaValidateFunction = function (
      this: Context,
      branches: Schema[],
      value,
      parentSchema,
    ) {
      const faults = branches.map((branch) => validator.faults(branch, value, this.now));
      const fitting = faults.filter((ofBranch) => ofBranch.length === 0).length;
      if (isRight(fitting) || validator.#hasWrongTag(parentSchema as Schema, branches, value)) return true;
      const meant = fitting === 0 ? validator.#meantBranch(branches, value, faults) : undefined;
      const only = meant === undefined ? [] : faults[meant];
      validate.errors = [{ keyword, params: { faults: only }, parentSchema: parentSchema ?? {} }];
      return false;
    };
    this.#ajv.removeKeyword(keyword);
    this.#ajv.addKeyword({ keyword, schemaType: "array", errors: true, validate });
  }

  #compile(schema: Schema): ValidateFunction {
    return keptIn(this.#compiled, schema, () => {
      const pointer = this.document.pointerOf(schema);
      const target =
        pointer === undefined
          ? withAbsoluteReferences(schema)
          : { $ref: `${DOCUMENT}#${pointer.split("/").map(encodeURIComponent).join("/")}` };
      return keptIn(this.#compiledTexts, JSON.stringify(target), () => this.#ajv.compile(target));
    });
  }

  /** Returns the branch of the value's type and tags that alone documents most of its properties. */
  #meantBranch(
    branches: readonly Schema[],
    value: unknown,
    faults: readonly SchemaFault[][],
  ): number | undefined {
    const tags = this.#tagsOf(branches);
    const names = isObject(value) ? Object.keys(value) : [];
    const candidates = branches.flatMap((branch, index) => {
      if (faults[index]?.some((fault) => isMisfit(fault, tags))) return [];
      const documented = this.document.fields(branch).filter(([name]) => names.includes(name));
      return [{ index, documented: documented.length }];
    });
    const most = Math.max(...candidates.map(({ documented }) => documented));
    const [meant, ...others] = candidates.filter(({ documented }) => documented === most);
    return others.length === 0 ? meant?.index : undefined;
  }

  /** True if the schema rejects the tag of the branches by itself. The wrong tag is then the only fault. */
  #hasWrongTag(
    { properties = {}, required = [] }: Schema,
    branches: readonly Schema[],
    value: unknown,
  ): boolean {
    if (!isObject(value)) return false;
    return this.#tagsOf(branches).some((tag) => {
      const field = properties[tag];
      if (field === undefined) return false;
      return Object.hasOwn(value, tag) ? this.faults(field, value[tag]).length > 0 : required.includes(tag);
    });
  }

  /** Returns the tags: fields whose values each branch lists. */
  #tagsOf(branches: readonly Schema[]): string[] {
    const listed = branches
      .map((branch) => this.document.fields(branch))
      .filter((fields) => fields.length > 0)
      .map((fields) =>
        fields.filter(([, field]) => field.const !== undefined || field.enum).map(([name]) => name),
      );
    const [first = [], ...others] = listed;
    return first.filter((name) => others.every((names) => names.includes(name)));
  }

  #faultsOf(error: ErrorObject): SchemaFault[] {
    const { keyword: name, instancePath, data, params } = error;
    const stated = (error.parentSchema ?? {}) as Schema;
    // ajv reports wrong property names and faults of an `if` twice.
    if (error.propertyName !== undefined || name === "if") return [];
    const inBranch = (params.faults ?? []) as SchemaFault[];
    if (inBranch.length > 0)
      return inBranch.map((fault) => ({ ...fault, pointer: `${instancePath}${fault.pointer}` }));
    const isNull = data === null && ["type", "enum", "const"].includes(name);
    if (isNull && stated["x-null-echo"] === true) return [];
    const keyword = keywordOf(isNull ? "null" : name.replace(/^x-/, ""));
    const relation = params.relation as
      | (BrokenRelation & { requirement: string; others: string[] })
      | undefined;
    if (relation) {
      const { field, others, ...rest } = relation;
      const related = others.map((other) => `${instancePath}${other}`);
      return [{ ...rest, pointer: `${instancePath}${field}`, related, keyword, schema: stated }];
    }
    const missing = params.missingProperty as string | undefined;
    const property = missing ?? ((params.additionalProperty ?? params.propertyName) as string | undefined);
    return [
      {
        pointer: property === undefined ? instancePath : appendPointer(instancePath, property),
        keyword,
        schema: stated,
        requirement: this.document.requirement(stated, keyword, missing),
        expected: describeExpectation(error, missing),
        actual: missing === undefined ? describeValue(partOf(data, property)) : "absent",
      },
    ];
  }
}

/** Replaces keywords that Ajv counts in another way than the suite, and adds the suite's own. */
function addExtensions(ajv: Ajv2020): void {
  ajv.removeKeyword("maxLength");
  ajv.addKeyword({
    keyword: "maxLength",
    type: "string",
    schemaType: "number",
    errors: false,
    // The unit of characters is not specified, so the smallest count decides.
    validate: (limit: number, text: string) => !isLongerThan(text, limit),
  });
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    validate: (step: number, value: number) => isMultipleOf(value, step),
  });
  ajv.addKeyword({
    keyword: "x-expected",
    type: "object",
    schemaType: "array",
    errors: true,
    validate: hasExpected,
  });
  ajv.addKeyword({
    keyword: "x-relations",
    type: "object",
    schemaType: "array",
    errors: true,
    validate: keepsRelations,
  });
}

const hasExpected: SchemaValidateFunction = (names: string[], value: JsonObject, parentSchema) => {
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  hasExpected.errors = missing.map((name) => ({
    keyword: "x-expected",
    params: { missingProperty: name },
    parentSchema: parentSchema ?? {},
  }));
  return missing.length === 0;
};

const keepsRelations: SchemaValidateFunction = function (
  this: Context | undefined,
  relations: Relation[],
  value: JsonObject,
  parentSchema,
) {
  const now = this?.now ?? Date.now();
  const errors = relations.flatMap((relation) => {
    const broken = brokenRelation(relation, value, now);
    if (!broken) return [];
    const { requirement, fields } = relation;
    const params = { relation: { ...broken, requirement, others: fields.slice(1) } };
    return [{ keyword: "x-relations", params, parentSchema: parentSchema ?? {} }];
  });
  keepsRelations.errors = errors;
  return errors.length === 0;
};

function partOf(value: unknown, property: string | undefined): unknown {
  return property !== undefined && isObject(value) ? value[property] : value;
}

function withAbsoluteReferences(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" && value.startsWith("#") ? `${DOCUMENT}${value}` : value,
    ),
  ) as Schema;
}

function isMisfit({ keyword, pointer }: SchemaFault, tags: readonly string[]): boolean {
  if (pointer === "") return ["type", "null", "const", "enum"].includes(keyword);
  return tags.some((name) => pointer === appendPointer("", name));
}

const segmenter = new Intl.Segmenter();
/** Matches texts in which each character is one grapheme. */
const ASCII = /^[\x20-\x7e]*$/;

/** Counts in graphemes, the unit that gives the smallest number. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (ASCII.test(text)) return true;
  let count = 0;
  // All segments together take far more memory than the text.
  for (const _ of segmenter.segment(text)) if (++count > limit) return true;
  return false;
}
