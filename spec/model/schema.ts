/** A schema as the documents write it, with the extensions of this suite. */

/** Which requirement a violated keyword breaks: keyword, or `fields`, `required`, `expected` for the rest. */
export type RequirementMap = Record<string, string>;

/** Where valid values come from when they can't be made up: a fixture of the user, else the items of a list. */
export interface ValuesFrom {
  fixture: string;
  list?: string;
  field?: string;
}

export interface Relation {
  requirement: string;
  /** `past` and `to-come` are about one field alone, all others about two. */
  relation: "equal" | "not-before" | "minor-units" | "past" | "to-come";
  /** JSON pointers within the schema that states the relation. */
  fields: [first: string, second?: string];
  /** Where it holds only while another field has a value. */
  when?: { field: string; is: unknown };
  /** Seconds that a time may be beyond now, for clocks that differ and for work that takes its time. */
  within?: number;
}

/** A JSON Schema (2020-12) with the documented extensions. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
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
  /** By name: the properties that must be there beside it. */
  dependentRequired?: Record<string, string[]>;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
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
  /** Properties that nothing but an update of them changes: what happens to the resource by itself leaves them alone. */
  "x-settled"?: string[];
  "x-relations"?: Relation[];
  "x-unique"?: { scope: "space" | "service"; requirement?: string };
  "x-secret"?: boolean;
  /** The members of this object are shown in no report. */
  "x-hidden"?: boolean;
  "x-send"?: Schema;
  "x-values-from"?: ValuesFrom;
  /** `on`: pointers of what is true of an item that may be named; without it, that is guessed at. */
  "x-references"?: { lists: string[]; fields: string[]; on?: string[]; requirement?: string };
  "x-consumes"?: { fixture: string; status: string; together: string; again: string };
  /** Values that look right, being right elsewhere, and are not allowed here. */
  "x-refused"?: unknown[];
  "x-observe"?: string;
  "x-initial"?: string;
  "x-open"?: string;
  "x-null-echo"?: boolean;
  "x-deliveries"?: { url: string; headers: string; secret: string; active: string; events?: string };
}
