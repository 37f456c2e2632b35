import type { SchemaIndex } from "../schema-index.ts";
import type { Level } from "./result.ts";
import type { RequirementMap, Schema, ValuesFrom } from "./schema.ts";

export type { Level } from "./result.ts";
export type { Schema, ValuesFrom } from "./schema.ts";

export interface Requirement {
  id: string;
  row: number;
  level: Level;
  section: string;
  statement: string;
  untested?: string;
  line?: number;
}

export type ParameterRole =
  | "version"
  | "space"
  | "idempotency-key"
  | "page-size"
  | "cursor-after"
  | "cursor-before"
  | "filter"
  | "other";

export interface Parameter {
  name: string;
  in: "query" | "header" | "path" | "cookie";
  required: boolean;
  schema: Schema;
  role: ParameterRole;
  /** `token`: the cursor is a text of the service. `item`: it is the id of an item. */
  cursor?: "token" | "item";
  /** The JSON pointer of the field that a filter compares. */
  filter?: string;
  /** True if items may show the filtered field masked. */
  isMaskable?: true;
  requirements: RequirementMap;
  valuesFrom?: ValuesFrom;
  fixture?: { read?: string; write?: string };
  madeBy?: string;
}

export interface ListShape {
  limit?: Parameter;
  after?: Parameter;
  before?: Parameter;
  filters: Parameter[];
  total: boolean;
  identity: string | undefined;
}

export interface ComparedField {
  /** The name of the other field. Nested names have slashes (`a/b`). */
  field: string;
  /** `masked` compares only characters that neither value masks. */
  compare: "equal" | "any-casing" | "masked";
  requirement?: string;
}

export interface SameRecord {
  list: string;
  by: string[];
  requirement: string;
  fields: "all" | Record<string, ComparedField>;
}

export interface ReadBack {
  read?: string;
  list?: string;
  /** `all` if an update must keep every field that it can't set. */
  keeps?: "all";
}

/** `named` has no documented shape, `other` a method that can't be tested. */
export type OperationKind = "list" | "read" | "create" | "update" | "named" | "other";

export interface Operation {
  /** `METHOD path`, as in section 4. */
  key: string;
  id: string;
  method: string;
  path: string;
  summary: string;
  section: string;
  kind: OperationKind;
  open?: true;
  since?: string;
  parameters: Parameter[];
  version?: Parameter;
  space?: Parameter;
  idempotencyKey?: Parameter;
  /** The parameter that names the resource of a read or update. */
  pathParameter?: Parameter;
  /** Path parameters that name the parents. */
  outer: Parameter[];
  body?: Schema;
  response?: Schema;
  resource?: Schema;
  list?: ListShape;
  sameRecord?: SameRecord;
  readBack?: ReadBack;
}

export interface Spec {
  title: string;
  versions: string[];
  sha256: string;
  pathReadings: Record<string, { prefix: string }>;
  operations: Operation[];
  requirements: Map<string, Requirement>;
  notOffered?: readonly string[];
  catalogue: string;
  schemas: SchemaIndex;
}
