/** The Spec: typed and checked data about a conforming service. Built by `loadSpec`. */

import type { SchemaIndex } from "../schema-index.ts";
import type { Level } from "./result.ts";
import type { RequirementMap, Schema, ValuesFrom } from "./schema.ts";

export type { Level } from "./result.ts";
export type { Schema, ValuesFrom } from "./schema.ts";

/** One statement of the specification. */
export interface Requirement {
  id: string;
  /** Groups requirements that come from one reading. */
  row: number;
  level: Level;
  section: string;
  statement: string;
  /** Why nothing outside the service can test it. */
  untested?: string;
  /** Line in the catalogue. */
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
  /** For cursors: an opaque token of the service, or the id of an item. */
  cursor?: "token" | "item";
  /** For filters: the pointer of the item's field that must match. */
  filter?: string;
  requirements: RequirementMap;
  valuesFrom?: ValuesFrom;
  /** For path parameters: the fixtures for reading and for writing. */
  fixture?: { read?: string; write?: string };
  /** For path parameters: the operation that creates the resource. */
  madeBy?: string;
}

/** Features of a list operation. */
export interface ListShape {
  limit?: Parameter;
  after?: Parameter;
  before?: Parameter;
  filters: Parameter[];
  /** True if pagination.total is documented for this list. */
  total: boolean;
  /** The field that identifies an item. */
  identity: string | undefined;
}

/** The field of a list's item that a field of the single record must equal. */
export interface ComparedField {
  /** The path of the field, with slashes. */
  field: string;
  /** `masked`: only the parts that neither value masks are compared. */
  compare: "equal" | "any-casing" | "masked";
  /** The requirement that a difference breaks, if it is not that of the whole record. */
  requirement?: string;
}

/** A read that shows the same resource as a list, perhaps under other names. */
export interface SameRecord {
  list: string;
  /** Fields of the item that the path parameter accepts. */
  by: string[];
  requirement: string;
  /** By field of the single record (slash-separated): the field of the item. `all`: every field under its own name. */
  fields: "all" | Record<string, ComparedField>;
}

/** The operations that show an update. */
export interface ReadBack {
  read?: string;
  list?: string;
  /** Set if all fields that the operation does not take stay the same. */
  keeps?: "all";
}

/** `named`: no shape is documented. `other`: a method for which the suite has no checks. */
export type OperationKind = "list" | "read" | "create" | "update" | "named" | "other";

export interface Operation {
  /** `METHOD path`, as section 4 of the specification writes it. */
  key: string;
  id: string;
  method: string;
  path: string;
  summary: string;
  section: string;
  kind: OperationKind;
  /** Set if it needs no token. */
  open?: true;
  /** The version that added it, if that is not the first. */
  since?: string;
  parameters: Parameter[];
  version?: Parameter;
  space?: Parameter;
  idempotencyKey?: Parameter;
  /** The parameter that names the resource of a read or an update: the last one of the path. */
  pathParameter?: Parameter;
  /** The other parameters of the path: they name the parents of the resource or list. */
  outer: Parameter[];
  /** Schema of the request body. */
  body?: Schema;
  /** Schema of the whole 200 answer; absent if no shape is documented. */
  response?: Schema;
  /** Schema of the resource: of result, or of the items of result. */
  resource?: Schema;
  list?: ListShape;
  sameRecord?: SameRecord;
  readBack?: ReadBack;
}

export interface Spec {
  title: string;
  /** Allowed values of the version header, oldest first. */
  versions: string[];
  /** SHA-256 of both files of the edition, in hexadecimal. */
  sha256: string;
  pathReadings: Record<string, { prefix: string }>;
  operations: Operation[];
  requirements: Map<string, Requirement>;
  /** Keys of the operations that the service is declared not to offer. */
  notOffered?: readonly string[];
  /** The file with the requirements. */
  catalogue: string;
  /** Resolves references and validates. */
  schemas: SchemaIndex;
}
