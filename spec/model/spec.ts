import type { SchemaIndex } from "../schema-index.ts";
import type { Level } from "./result.ts";
import type { RequirementMap, Schema, ValuesFrom } from "./schema.ts";

export type { Level } from "./result.ts";
export type { Schema, ValuesFrom } from "./schema.ts";

export interface Requirement {
  id: string;
  /** A number that groups sentences. Several requirements may have one row. */
  row: number;
  level: Level;
  section: string;
  statement: string;
  /** Why nothing outside the service can test the requirement. */
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
  /** `token` for a text that the service issues, `item` for the id of an item. */
  cursor?: "token" | "item";
  /** The JSON pointer of the item's field that must match. */
  filter?: string;
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

/** A field of a list's item that equals a field of the single record. */
export interface ComparedField {
  /** The names of nested fields with slashes between them: `a/b`. */
  field: string;
  /** `masked` compares only the parts that neither value masks. */
  compare: "equal" | "any-casing" | "masked";
  requirement?: string;
}

export interface SameRecord {
  list: string;
  by: string[];
  requirement: string;
  /**
   * By the path of the field in the single record. `all` compares every field with the field of the same
   * name.
   */
  fields: "all" | Record<string, ComparedField>;
}

export interface ReadBack {
  read?: string;
  list?: string;
  /** `all` if an update keeps all fields that its operation does not take. */
  keeps?: "all";
}

/** `named`: an operation without a documented shape. `other`: a method that the suite can't test. */
export type OperationKind = "list" | "read" | "create" | "update" | "named" | "other";

export interface Operation {
  /** `METHOD path`, as section 4 writes it. */
  key: string;
  id: string;
  method: string;
  path: string;
  summary: string;
  section: string;
  kind: OperationKind;
  open?: true;
  /** The version that added the operation. Absent for the first version. */
  since?: string;
  parameters: Parameter[];
  version?: Parameter;
  space?: Parameter;
  idempotencyKey?: Parameter;
  /** The last parameter of the path, which names the resource of a read or an update. */
  pathParameter?: Parameter;
  /** The other parameters of the path, which name the parents. */
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
  /** The SHA-256 of both files of the edition, in hexadecimal. */
  sha256: string;
  pathReadings: Record<string, { prefix: string }>;
  operations: Operation[];
  requirements: Map<string, Requirement>;
  notOffered?: readonly string[];
  catalogue: string;
  schemas: SchemaIndex;
}
