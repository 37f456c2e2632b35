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
  /** Rejections that are sent only after the operation was carried out (see the hook `late`). */
  readonly lateRejections: Rejection[];
}

export interface Route {
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly underV1: boolean;
  readonly allow: readonly string[];
}

/** The place of a limit, such as `query.limit`, and its rule. The rule `default` is for a default value. */
export interface LimitPoint {
  readonly at: string;
  readonly rule: Rule | "default";
}

export interface Credentials {
  readonly scheme: string;
  readonly token: string;
}

/** The items of a page: those from index `start` to `end - 1` of the list. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export type Purpose = "list" | "read" | "write";

/** Most hooks get a value that the reference service has made, and return the value to use instead. */
export interface Hooks {
  seed?: (data: Dataset, service: Service) => Dataset;
  /** Called when the service starts. A variant makes other clients act from here, with `service.later`. */
  started?: (service: Service) => void;
  request?: (request: IncomingRequest, service: Service) => IncomingRequest;
  route?: (route: Route, ctx: Context) => Route;
  pause?: (point: "arrived" | "checked" | "written", ctx: Context) => void | Promise<void>;

  credentials?: (credentials: Credentials, ctx: Context) => Credentials;
  effectiveSpace?: (space: string, ctx: Context) => string;
  limit?: (limit: number, ctx: Context, point: LimitPoint) => number;
  /** Gets the problems that a stage found. The request passes the stage if the hook returns none. */
  problems?: (problems: readonly Problem[], ctx: Context, stage: Stage) => readonly Problem[];
  /** If it returns true, the operation is carried out before the request is rejected for the problems. */
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
  /** Gets the index of the first item after a cursor, or null if this list did not issue the cursor. */
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

  /** Gets a resource as an answer shows it. `index` is its position on the page, or -1 outside of lists. */
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

  /** Gets the text under which a key is stored: its space, operation, path parameters and the key itself. */
  keyIndex?: (index: string, ctx: Context) => string;
  keyFingerprint?: (fingerprint: string, ctx: Context) => string;
  keyEntry?: (entry: Entry | undefined, ctx: Context) => Entry | undefined;
  /** If the key is stored after the write, concurrent requests with the key may all be carried out. */
  keyRemembered?: (
    when: "before-write" | "after-write" | "never",
    ctx: Context,
  ) => "before-write" | "after-write" | "never";
  keyReplay?: (result: JsonObject, ctx: Context, entry: Entry) => JsonObject;
  sameReference?: (same: boolean, ctx: Context, pair: { sent: Json; other: StoredRecord }) => boolean;
  /** If false, a write does not notice what other requests have stored since it was checked. */
  recheck?: (recheck: boolean, ctx: Context) => boolean;
  /** Gets the fields that an update changes. A value of undefined removes the field. */
  changes?: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    record: StoredRecord,
  ) => Readonly<Record<string, Json | undefined>>;
  /** Gets the record that a write shows and stores. `previous` is null for a create. */
  made?: (record: StoredRecord, ctx: Context, previous: StoredRecord | null) => StoredRecord;
  /** Changes the stored record, but not the shown one. If it returns null, nothing is stored. */
  stored?: (record: StoredRecord | null, ctx: Context, previous: StoredRecord | null) => StoredRecord | null;
  written?: (ctx: Context, record: StoredRecord, previous: StoredRecord | null) => void;
  wasRead?: (ctx: Context, record: StoredRecord) => void;

  events?: (events: readonly ServiceEvent[], service: Service) => readonly ServiceEvent[];
  /** Gets one delivery, or none if the webhook is not subscribed to the event. */
  deliveries?: (
    deliveries: readonly Delivery[],
    service: Service,
    about: { event: ServiceEvent; webhook: StoredRecord },
  ) => readonly Delivery[];
}

export type ActiveHooks = Required<Hooks>;
