/** Requirement ids by keyword. Inner schemas inherit `fields` (the default), `required` and `expected`. */
export type RequirementMap = Record<string, string>;

/** The source of valid values: a fixture, or else items of a list. */
export interface ValuesFrom {
  fixture: string;
  list?: string;
  field?: string;
}

export interface Relation {
  requirement: string;
  /** The relations `past` and `to-come` take one field, others two. */
  relation: "equal" | "not-before" | "minor-units" | "past" | "to-come";
  /** JSON pointers within the schema. */
  fields: [first: string, second?: string];
  when?: { field: string; is: unknown };
  /** Seconds of tolerance, because clocks differ. */
  within?: number;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, Schema>;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  contains?: Schema;
  minContains?: number;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  not?: Schema;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  "x-requirements"?: RequirementMap;
  "x-expected"?: string[];
  "x-identity"?: string;
  "x-fixed"?: string[];
  /** Names of properties that change only if an update sets them. */
  "x-settled"?: string[];
  "x-relations"?: Relation[];
  "x-unique"?: { scope: "space" | "service"; requirement?: string };
  "x-secret"?: boolean;
  "x-maskable"?: boolean;
  "x-hidden"?: boolean;
  "x-send"?: Schema;
  "x-values-from"?: ValuesFrom;
  /** The `fields` of items in `lists` are valid if all of `on` are true. */
  "x-references"?: { lists: string[]; fields: string[]; on?: string[]; requirement?: string };
  "x-consumes"?: { fixture: string; status: string; together: string; again: string };
  /** Values that are valid elsewhere, but not here. */
  "x-refused"?: unknown[];
  "x-observe"?: string;
  "x-initial"?: string;
  "x-open"?: string;
  "x-null-echo"?: boolean;
  "x-deliveries"?: { url: string; headers: string; secret: string; active: string; events?: string };
}
