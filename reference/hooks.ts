import type { Json, JsonObject } from "./json.ts";
import type { Delivery, IncomingRequest, ResponseDraft, ServiceEvent } from "./messages.ts";
import type { Operation, OperationName } from "./operations.ts";
import type { Problem, Rejection, Rule, Stage } from "./problems.ts";
import type { Entry, ServiceState } from "./service.ts";
import type { Dataset, Kind, StoredRecord } from "./store.ts";

export type Service = ServiceState<ActiveHooks>;

/** The facts about the current request. The stages fill them in, one after the other. */
export interface Context {
  readonly service: Service;
  /** The position of the request since the service started, from 0. */
  readonly number: number;
  readonly request: IncomingRequest;
  operation: OperationName | "";
  facts: Operation | null;
  /** True if an operation with an unversioned path was requested under /v1. */
  underV1: boolean;
  params: Readonly<Record<string, string>>;
  query: ReadonlyMap<string, readonly string[]>;
  token: string;
  version: string | null;
  space: string;
  key: string;
  body: JsonObject;
  /** Rejections that are reported after the operation was carried out (see the hook `late`). */
  readonly lateRejections: Rejection[];
}

/** The operation of a request; without one, the methods that the path has, if any. */
export interface Route {
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly underV1: boolean;
  readonly allow: readonly string[];
}

/** The place and the rule of a limit. `default` is a default and no limit. */
export interface LimitPoint {
  readonly at: string;
  readonly rule: Rule | "default";
}

export interface Credentials {
  readonly scheme: string;
  readonly token: string;
}

/** Indexes in a list: `start` is included, `end` is excluded. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export type Purpose = "list" | "read" | "write";

/**
 * Each hook gets the value that the reference service would use, or the result of the hook before it, and
 * returns the value to use instead.
 */
export interface Hooks {
  seed?: (data: Dataset, service: Service) => Dataset;
  /** Called once the service listens. Activity of other clients starts here, through `service.later`. */
  started?: (service: Service) => void;
  request?: (request: IncomingRequest, service: Service) => IncomingRequest;
  route?: (route: Route, ctx: Context) => Route;
  /**
   * Points at which a request may wait. `arrived`: routed, nothing checked. `checked`: a write passed all
   * checks, nothing is written yet (see `recheck`). `written`: after the write.
   */
  pause?: (point: "arrived" | "checked" | "written", ctx: Context) => void | Promise<void>;

  credentials?: (credentials: Credentials, ctx: Context) => Credentials;
  /** The space that the request acts on, after the header was checked. */
  effectiveSpace?: (space: string, ctx: Context) => string;
  limit?: (limit: number, ctx: Context, point: LimitPoint) => number;
  /**
   * The problems found in a stage. An empty list accepts the request. Only stages that the operation has are
   * called: `query` for lists, `find` if nothing is found, `body` and `conflict` for writes.
   */
  problems?: (problems: readonly Problem[], ctx: Context, stage: Stage) => readonly Problem[];
  /** True to report a stage's problems only after the operation was carried out. */
  late?: (late: boolean, ctx: Context, stage: Stage) => boolean;

  visible?: (visible: boolean, ctx: Context, record: StoredRecord, purpose: Purpose) => boolean;
  found?: (
    record: StoredRecord | undefined,
    ctx: Context,
    sought: { kind: Kind; id: string; purpose: Purpose },
  ) => StoredRecord | undefined;
  /** The items of a list in order, before filters. */
  members?: (records: readonly StoredRecord[], ctx: Context, kind: Kind) => readonly StoredRecord[];
  matches?: (
    matches: boolean,
    ctx: Context,
    filter: { parameter: string; value: string; record: StoredRecord },
  ) => boolean;
  /** The number of items on a page; `sent` is the parameter limit, or null. */
  pageSize?: (size: number, ctx: Context, sent: string | null) => number;
  /** The index of the first item after a cursor; null if it is not a cursor of this list. */
  cursorStart?: (
    start: number | null,
    ctx: Context,
    cursor: { text: string; parameter: "after" | "before"; items: readonly StoredRecord[] },
  ) => number | null;
  window?: (window: Window, ctx: Context, page: { items: readonly StoredRecord[]; size: number }) => Window;
  /** The cursor of the next page; null on the last page. */
  cursorText?: (
    text: string | null,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => string | null;

  /** `index` is the position on the page, -1 for a single resource. */
  item?: (item: JsonObject, ctx: Context, shown: { record: StoredRecord; index: number }) => JsonObject;
  pagination?: (
    pagination: JsonObject,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => JsonObject;
  envelope?: (envelope: JsonObject, ctx: Context) => Json;
  rejection?: (rejection: Rejection, ctx: Context) => Rejection;
  errorBody?: (body: Json, ctx: Context, rejection: Rejection) => Json;
  response?: (response: ResponseDraft, ctx: Context) => ResponseDraft;

  /** The identity of an idempotency key's entry: by default space, operation and key together. */
  keyIndex?: (index: string, ctx: Context) => string;
  /** A text that differs for different bodies under the same key. */
  keyFingerprint?: (fingerprint: string, ctx: Context) => string;
  keyEntry?: (entry: Entry | undefined, ctx: Context) => Entry | undefined;
  /** The moment at which a key is stored. Storing it after the write allows a race. */
  keyRemembered?: (
    when: "before-write" | "after-write" | "never",
    ctx: Context,
  ) => "before-write" | "after-write" | "never";
  keyReplay?: (result: JsonObject, ctx: Context, entry: Entry) => JsonObject;
  /** True if two references of financial accounts count as equal. */
  sameReference?: (same: boolean, ctx: Context, pair: { sent: Json; other: StoredRecord }) => boolean;
  /** True to repeat, at the moment of writing, the checks that need the store. */
  recheck?: (recheck: boolean, ctx: Context) => boolean;
  /** The fields that an update sets; undefined removes a field. */
  changes?: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    record: StoredRecord,
  ) => Readonly<Record<string, Json | undefined>>;
  /** The record that a create or update makes, both shown and stored. `previous` is null for a create. */
  made?: (record: StoredRecord, ctx: Context, previous: StoredRecord | null) => StoredRecord;
  /** The stored record, if it differs from the shown one; null stores nothing. */
  stored?: (record: StoredRecord | null, ctx: Context, previous: StoredRecord | null) => StoredRecord | null;
  written?: (ctx: Context, record: StoredRecord, previous: StoredRecord | null) => void;
  /** Called after a single read, and for each item of a list. */
  wasRead?: (ctx: Context, record: StoredRecord) => void;

  events?: (events: readonly ServiceEvent[], service: Service) => readonly ServiceEvent[];
  /** The deliveries of an event to a webhook: one, or none if the webhook is not subscribed. */
  deliveries?: (
    deliveries: readonly Delivery[],
    service: Service,
    about: { event: ServiceEvent; webhook: StoredRecord },
  ) => readonly Delivery[];
}

export type ActiveHooks = Required<Hooks>;
