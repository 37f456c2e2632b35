/** The Spec: what a conforming service is, as typed and checked values. Built by `loadSpec`, read by everything else. */

import type { SchemaIndex } from "../schema-index.ts";
import type { Level } from "./result.ts";
import type { RequirementMap, Schema, ValuesFrom } from "./schema.ts";

export type { Level } from "./result.ts";
export type { Schema, ValuesFrom } from "./schema.ts";

/** One statement of the specification. */
export interface Requirement {
  id: string;
  /** The row of the interpretation that it comes from. */
  row: number;
  level: Level;
  section: string;
  statement: string;
  /** Why nothing outside the service can test it. */
  untested?: string;
  /** The line of the catalogue that it begins on. */
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
  /** For cursors: an opaque token of the service, or the identity of an item. */
  cursor?: "token" | "item";
  /** For filters: the pointer of the item's field that the filter is compared with. */
  filter?: string;
  requirements: RequirementMap;
  valuesFrom?: ValuesFrom;
  /** For path parameters: the fixtures that name a resource to read, and one to write. */
  fixture?: { read?: string; write?: string };
  /** For path parameters: the creating operation whose resources this one acts on. */
  madeBy?: string;
}

/** What a list operation offers. */
export interface ListShape {
  limit?: Parameter;
  after?: Parameter;
  before?: Parameter;
  filters: Parameter[];
  /** Whether pagination.total is documented for this list. */
  total: boolean;
  /** The field that identifies an item. */
  identity: string | undefined;
}

/** The field of a list's item that a field of the single record is compared with. */
export interface ComparedField {
  /** Slashes go deeper. */
  field: string;
  /** `masked`: compared where both are shown, and only as far as neither is masked. */
  compare: "equal" | "any-casing" | "masked";
  /** The requirement that a difference breaks, where it is not that of the whole record. */
  requirement?: string;
}

/** A single read that shows the same resource as a list, perhaps under other names. */
export interface SameRecord {
  list: string;
  /** Fields of the item that the path parameter takes. */
  by: string[];
  requirement: string;
  /** Field of the single record (slash-separated) to field of the item; or every field under its own name. */
  fields: "all" | Record<string, ComparedField>;
}

/** Where an update is seen again. */
export interface ReadBack {
  read?: string;
  list?: string;
  /** Whether fields that the operation does not take stay as they are, all of them. */
  keeps?: "all";
}

/** `named`: only named, no shape is shown. `other`: a method that the suite has no checks of its own for. */
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
  /** Whether it is shown to need no token. */
  open?: true;
  /** The version that added it, when it was not the first. */
  since?: string;
  parameters: Parameter[];
  version?: Parameter;
  space?: Parameter;
  idempotencyKey?: Parameter;
  /** The parameter of the path that names the one resource of a read or an update: the last one. */
  pathParameter?: Parameter;
  /** The other parameters of the path: they name what the resource, or the list, belongs to. */
  outer: Parameter[];
  /** Schema of the request body, when there is one. */
  body?: Schema;
  /** Schema of the whole 200 answer; absent where no shape is shown. */
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
  /** Hex digest of the files that the Spec was read from. */
  sha256: string;
  pathReadings: Record<string, { prefix: string }>;
  operations: Operation[];
  requirements: Map<string, Requirement>;
  /** Keys of the operations that the service is declared not to offer. */
  notOffered?: readonly string[];
  /** The file that the requirements stand in. */
  catalogue: string;
  /** Resolves references and finds what a schema node says. */
  schemas: SchemaIndex;
}
