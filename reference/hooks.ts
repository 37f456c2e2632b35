import type { Json, JsonObject } from "./json.ts";
import type { Delivery, IncomingRequest, ResponseDraft, ServiceEvent } from "./messages.ts";
import type { Operation, OperationName } from "./operations.ts";
import type { Problem, Rejection, Rule, Stage } from "./problems.ts";
import type { Entry, ServiceState } from "./service.ts";
import type { Dataset, Kind, StoredRecord } from "./store.ts";

export type Service = ServiceState<ActiveHooks>;

export interface Context {
  readonly service: Service;
  readonly number: number;
  readonly request: IncomingRequest;
  operation: OperationName | "";
  facts: Operation | null;
  underV1: boolean;
  params: Readonly<Record<string, string>>;
  query: ReadonlyMap<string, readonly string[]>;
  token: string;
  version: string | null;
  space: string;
  key: string;
  body: JsonObject;
  /** Sent after the operation is carried out (see the hook `late`). */
  readonly lateRejections: Rejection[];
}

export interface Route {
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly underV1: boolean;
  readonly allow: readonly string[];
}

/** A text like `query.limit` is in `at`. The rule `default` is for a default value. */
export interface LimitPoint {
  readonly at: string;
  readonly rule: Rule | "default";
}

export interface Credentials {
  readonly scheme: string;
  readonly token: string;
}

/** Part of a list, from index `start` to `end - 1`. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export type Purpose = "list" | "read" | "write";

/** Most hooks get a value, and return the one to use instead. */
export interface Hooks {
  seed?: (data: Dataset, service: Service) => Dataset;
  /** Variants let other clients act from here, with `service.later`. */
  started?: (service: Service) => void;
  request?: (request: IncomingRequest, service: Service) => IncomingRequest;
  route?: (route: Route, ctx: Context) => Route;
  pause?: (point: "arrived" | "checked" | "written", ctx: Context) => void | Promise<void>;

  credentials?: (credentials: Credentials, ctx: Context) => Credentials;
  effectiveSpace?: (space: string, ctx: Context) => string;
  limit?: (limit: number, ctx: Context, point: LimitPoint) => number;
  /** Without problems, the request passes the stage. */
  problems?: (problems: readonly Problem[], ctx: Context, stage: Stage) => readonly Problem[];
  /** True to carry out the operation before the rejection. */
  late?: (late: boolean, ctx: Context, stage: Stage) => boolean;

  visible?: (visible: boolean, ctx: Context, record: StoredRecord, purpose: Purpose) => boolean;
  found?: (
    record: StoredRecord | undefined,
    ctx: Context,
    sought: { kind: Kind; id: string; purpose: Purpose },
  ) => StoredRecord | undefined;
  members?: (records: readonly StoredRecord[], ctx: Context, kind: Kind) => readonly StoredRecord[];
  matches?: (
    matches: boolean,
    ctx: Context,
    filter: { parameter: string; value: string; record: StoredRecord },
  ) => boolean;
  pageSize?: (size: number, ctx: Context, sent: string | null) => number;
  /** Null if this list did not issue the cursor. */
  cursorStart?: (
    start: number | null,
    ctx: Context,
    cursor: { text: string; parameter: "after" | "before"; items: readonly StoredRecord[] },
  ) => number | null;
  window?: (window: Window, ctx: Context, page: { items: readonly StoredRecord[]; size: number }) => Window;
  cursorText?: (
    text: string | null,
    ctx: Context,
    page: { items: readonly StoredRecord[]; window: Window },
  ) => string | null;

  /** `index` is the position on the page, or -1 outside of lists. */
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

  /** The index of a key consists of space, operation, path parameters and key. */
  keyIndex?: (index: string, ctx: Context) => string;
  keyFingerprint?: (fingerprint: string, ctx: Context) => string;
  keyEntry?: (entry: Entry | undefined, ctx: Context) => Entry | undefined;
  /** After the write, concurrent requests with the key may all be carried out. */
  keyRemembered?: (
    when: "before-write" | "after-write" | "never",
    ctx: Context,
  ) => "before-write" | "after-write" | "never";
  keyReplay?: (result: JsonObject, ctx: Context, entry: Entry) => JsonObject;
  sameReference?: (same: boolean, ctx: Context, pair: { sent: Json; other: StoredRecord }) => boolean;
  /** False if a write overlooks changes since its checks. */
  recheck?: (recheck: boolean, ctx: Context) => boolean;
  /** A value of undefined removes the field. */
  changes?: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    record: StoredRecord,
  ) => Readonly<Record<string, Json | undefined>>;
  /** `previous` is null for a create. */
  made?: (record: StoredRecord, ctx: Context, previous: StoredRecord | null) => StoredRecord;
  /** Changes only the stored record. Null stores nothing. */
  stored?: (record: StoredRecord | null, ctx: Context, previous: StoredRecord | null) => StoredRecord | null;
  written?: (ctx: Context, record: StoredRecord, previous: StoredRecord | null) => void;
  wasRead?: (ctx: Context, record: StoredRecord) => void;

  events?: (events: readonly ServiceEvent[], service: Service) => readonly ServiceEvent[];
  deliveries?: (
    deliveries: readonly Delivery[],
    service: Service,
    about: { event: ServiceEvent; webhook: StoredRecord },
  ) => readonly Delivery[];
}

export type ActiveHooks = Required<Hooks>;
