/** The places where defects and variants can change a service. */

import type { Json, JsonObject } from "./json.ts";
import type { Delivery, IncomingRequest, ResponseDraft, ServiceEvent } from "./messages.ts";
import type { Operation, OperationName } from "./operations.ts";
import type { Problem, Rejection, Rule, Stage } from "./problems.ts";
import type { Entry, ServiceState } from "./service.ts";
import type { Dataset, Kind, StoredRecord } from "./store.ts";

export type Service = ServiceState<ActiveHooks>;

/** The facts about the current request. The stages fill them in, in order. */
export interface Context {
  readonly service: Service;
  /** Position of the request since the service started, from 0. */
  readonly number: number;
  readonly request: IncomingRequest;
  /** The operation's name; "" until the request is routed. */
  operation: OperationName | "";
  facts: Operation | null;
  /** True if an operation with an unversioned path was requested under /v1. */
  underV1: boolean;
  /** Decoded path parameters by name. */
  params: Readonly<Record<string, string>>;
  /** Decoded query values by name, in the order sent. */
  query: ReadonlyMap<string, readonly string[]>;
  token: string;
  /** The accepted Service-Version; null without one. */
  version: string | null;
  /** The space that the request acts on; "" without one. */
  space: string;
  /** The Idempotency-Key as sent; "" without one. */
  key: string;
  body: JsonObject;
  /** Rejections that are reported after the operation was carried out (see the hook `late`). */
  readonly lateRejections: Rejection[];
}

/** The operation of a request, or the methods of its path, or nothing. */
export interface Route {
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly underV1: boolean;
  readonly allow: readonly string[];
}

/** The place and the rule of a limit. `default` is a default, not a limit. */
export interface LimitPoint {
  readonly at: string;
  readonly rule: Rule | "default";
}

/** Scheme and token of an Authorization header, as read. */
export interface Credentials {
  readonly scheme: string;
  readonly token: string;
}

/** A part of a list, as indexes: start included, end excluded. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Why a record is searched: to be listed, read or changed. */
export type Purpose = "list" | "read" | "write";

/**
 * The places where defects and variants can change a service. Each hook gets the value that this service would use,
 * and returns the one to use instead. Without the hook, or if it returns its first argument, nothing changes. With
 * several sets of hooks, each hook gets the result of the one before.
 */
export interface Hooks {
  // Start and arrival
  /** The initial data of the service. */
  seed?: (data: Dataset, service: Service) => Dataset;
  /** Called once the service listens; for activity of other clients use `service.later`. */
  started?: (service: Service) => void;
  /** The request as the service reads it: rewritten, with parts dropped or added. */
  request?: (request: IncomingRequest, service: Service) => IncomingRequest;
  /** The operation of a request. */
  route?: (route: Route, ctx: Context) => Route;
  /**
   * Waits, at three points: `arrived` (routed, nothing checked), `checked` (a write passed all checks, nothing
   * written; checks that need the store are repeated afterwards, see `recheck`), `written`.
   */
  pause?: (point: "arrived" | "checked" | "written", ctx: Context) => void | Promise<void>;

  // Access and validation
  /** Scheme and token of the Authorization header. */
  credentials?: (credentials: Credentials, ctx: Context) => Credentials;
  /** The space that the request acts on, after the header was checked. */
  effectiveSpace?: (space: string, ctx: Context) => string;
  /** A limit or a default. */
  limit?: (limit: number, ctx: Context, point: LimitPoint) => number;
  /** The problems found in a stage; an empty list accepts the request. */
  problems?: (problems: readonly Problem[], ctx: Context, stage: Stage) => readonly Problem[];
  /** True to report a stage's problems only after the operation was carried out. */
  late?: (late: boolean, ctx: Context, stage: Stage) => boolean;

  // Finding and listing
  /** True if a record is in the space of the request. */
  visible?: (visible: boolean, ctx: Context, record: StoredRecord, purpose: Purpose) => boolean;
  /** The record under an id or code; undefined if unknown. */
  found?: (
    record: StoredRecord | undefined,
    ctx: Context,
    sought: { kind: Kind; id: string; purpose: Purpose },
  ) => StoredRecord | undefined;
  /** The items of a list in order, before filters. */
  members?: (records: readonly StoredRecord[], ctx: Context, kind: Kind) => readonly StoredRecord[];
  /** True if a record passes a filter parameter. */
  matches?: (
    matches: boolean,
    ctx: Context,
    filter: { parameter: string; value: string; record: StoredRecord },
  ) => boolean;
  /** Items on a page; `sent` is the limit parameter, or null. */
  pageSize?: (size: number, ctx: Context, sent: string | null) => number;
  /** Index of the first item after a cursor; null if it is not a cursor of this list. */
  cursorStart?: (
    start: number | null,
    ctx: Context,
    cursor: { text: string; parameter: "after" | "before"; items: readonly StoredRecord[] },
  ) => number | null;
  /** The part of the list on the page. */
  window?: (window: Window, ctx: Context, page: { items: readonly StoredRecord[]; size: number }) => Window;
  /** The cursor of the next page; null on the last. */
  cursorText?: (
    text: string | null,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => string | null;

  // Answers
  /** One resource as it is shown; index is its place on the page, -1 for a single resource. */
  item?: (item: JsonObject, ctx: Context, shown: { record: StoredRecord; index: number }) => JsonObject;
  /** The pagination object of a list. */
  pagination?: (
    pagination: JsonObject,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => JsonObject;
  /** The whole body of a success. */
  envelope?: (envelope: JsonObject, ctx: Context) => Json;
  /** Status, headers and problems of a rejection. */
  rejection?: (rejection: Rejection, ctx: Context) => Rejection;
  /** The body of a rejection. */
  errorBody?: (body: Json, ctx: Context, rejection: Rejection) => Json;
  /** The answer before it is sent. */
  response?: (response: ResponseDraft, ctx: Context) => ResponseDraft;

  // Writing
  /** The index of an idempotency entry: by default space, operation and key together. */
  keyIndex?: (index: string, ctx: Context) => string;
  /** A text that differs for different bodies under the same key. */
  keyFingerprint?: (fingerprint: string, ctx: Context) => string;
  /** The entry of a key; undefined if the key is new. */
  keyEntry?: (entry: Entry | undefined, ctx: Context) => Entry | undefined;
  /** When a key is stored. Between before-write and after-write there is a race. */
  keyRemembered?: (
    when: "before-write" | "after-write" | "never",
    ctx: Context,
  ) => "before-write" | "after-write" | "never";
  /** The result for a repeated key. */
  keyReplay?: (result: JsonObject, ctx: Context, entry: Entry) => JsonObject;
  /** True if two references of financial accounts count as equal. */
  sameReference?: (same: boolean, ctx: Context, pair: { sent: Json; other: StoredRecord }) => boolean;
  /** True to repeat checks that need the store at the moment of writing. */
  recheck?: (recheck: boolean, ctx: Context) => boolean;
  /** The fields that an update sets; undefined removes a field. */
  changes?: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    record: StoredRecord,
  ) => Readonly<Record<string, Json | undefined>>;
  /** The record that a create or update makes, both shown and stored. previous is null for a create. */
  made?: (record: StoredRecord, ctx: Context, previous: StoredRecord | null) => StoredRecord;
  /** The stored record, if it differs from the shown one; null stores nothing. */
  stored?: (record: StoredRecord | null, ctx: Context, previous: StoredRecord | null) => StoredRecord | null;
  /** Called after a write, for side effects. */
  written?: (ctx: Context, record: StoredRecord, previous: StoredRecord | null) => void;
  /** Called after a single read, and for each item of a list, for side effects. */
  wasRead?: (ctx: Context, record: StoredRecord) => void;

  // Deliveries
  /** The events of a write. */
  events?: (events: readonly ServiceEvent[], service: Service) => readonly ServiceEvent[];
  /** The deliveries of an event to a webhook: one, or none if it is not subscribed. */
  deliveries?: (
    deliveries: readonly Delivery[],
    service: Service,
    about: { event: ServiceEvent; webhook: StoredRecord },
  ) => readonly Delivery[];
}

/** Hooks with every place filled in. */
export type ActiveHooks = Required<Hooks>;
