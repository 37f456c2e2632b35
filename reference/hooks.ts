/** The places where a service can go its own way, and what it knows there. */

import type { Json, JsonObject } from "./json.ts";
import type { Delivery, IncomingRequest, ResponseDraft, ServiceEvent } from "./messages.ts";
import type { Operation, OperationName } from "./operations.ts";
import type { Problem, Rejection, Rule, Stage } from "./problems.ts";
import type { Entry, ServiceState } from "./service.ts";
import type { Dataset, Kind, StoredRecord } from "./store.ts";

/** The service that hooks are for. */
export type Service = ServiceState<ActiveHooks>;

/** Everything known about the request being handled; the stages fill it in, in order. */
export interface Context {
  readonly service: Service;
  /** Position of the request since the service started, from 0. */
  readonly number: number;
  readonly request: IncomingRequest;
  /** The operation's name; "" until the request is routed. */
  operation: OperationName | "";
  facts: Operation | null;
  /** Whether an operation shown on an unversioned path was asked for under /v1. */
  underV1: boolean;
  /** Decoded path parameters by name. */
  params: Readonly<Record<string, string>>;
  /** Decoded query values by name, in the order sent. */
  query: ReadonlyMap<string, readonly string[]>;
  token: string;
  /** The accepted Service-Version; null without one. */
  version: string | null;
  /** The space that the request acts on; "" where there is none. */
  space: string;
  /** The Idempotency-Key as sent; "" where there is none. */
  key: string;
  body: JsonObject;
  /** Refusals to be given only after the operation was carried out (see the hook `late`). */
  readonly lateRejections: Rejection[];
}

/** What a request is routed to: an operation, or the methods that the path has, or nothing. */
export interface Route {
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly underV1: boolean;
  readonly allow: readonly string[];
}

/** A number that a rule compares with: which place, which rule. `default` is a default, not a limit. */
export interface LimitPoint {
  readonly at: string;
  readonly rule: Rule | "default";
}

/** The scheme and token of an Authorization header, as read. */
export interface Credentials {
  readonly scheme: string;
  readonly token: string;
}

/** A part of a list, as indexes into the items: start included, end excluded. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** What a record is looked for: to be listed, read or changed. */
export type Purpose = "list" | "read" | "write";

/**
 * The places where a service can go its own way. Each hook is given what this service would do, and gives
 * what is to be done instead; leaving a hook out, or returning its first argument, changes nothing.
 * When several sets of hooks are active, each hook gets what the one before it returned.
 * Hooks that return nothing are called one after the other.
 */
export interface Hooks {
  // Start and arrival
  /** The data the service starts with. */
  seed?: (data: Dataset, service: Service) => Dataset;
  /** Called once the service listens; for activity of other clients use `service.later`. */
  started?: (service: Service) => void;
  /** The request as the service takes it: rewritten, with parts dropped or added. */
  request?: (request: IncomingRequest, service: Service) => IncomingRequest;
  /** The operation that a request is for. */
  route?: (route: Route, ctx: Context) => Route;
  /**
   * Waits, at three points: `arrived` (routed, nothing checked), `checked` (all checks of a write passed,
   * nothing written; checks that need the store are made again afterwards, see `recheck`), `written`.
   */
  pause?: (point: "arrived" | "checked" | "written", ctx: Context) => void | Promise<void>;

  // Access and validation
  /** Scheme and token, as read from the Authorization header. */
  credentials?: (credentials: Credentials, ctx: Context) => Credentials;
  /** The space that the request acts on, after the header was checked. */
  effectiveSpace?: (space: string, ctx: Context) => string;
  /** A number that a rule compares with: a limit, or a default. */
  limit?: (limit: number, ctx: Context, point: LimitPoint) => number;
  /** The problems found in a stage; an empty list lets the request pass. */
  problems?: (problems: readonly Problem[], ctx: Context, stage: Stage) => readonly Problem[];
  /** Whether a stage's problems are reported only after the operation was carried out all the same. */
  late?: (late: boolean, ctx: Context, stage: Stage) => boolean;

  // Finding and listing
  /** Whether a record is within the space of the request. */
  visible?: (visible: boolean, ctx: Context, record: StoredRecord, purpose: Purpose) => boolean;
  /** The record found under an id or code; undefined: unknown. */
  found?: (
    record: StoredRecord | undefined,
    ctx: Context,
    sought: { kind: Kind; id: string; purpose: Purpose },
  ) => StoredRecord | undefined;
  /** The members of a list in their order, before filters. */
  members?: (records: readonly StoredRecord[], ctx: Context, kind: Kind) => readonly StoredRecord[];
  /** Whether a record passes a filter parameter. */
  matches?: (
    matches: boolean,
    ctx: Context,
    filter: { parameter: string; value: string; record: StoredRecord },
  ) => boolean;
  /** Items on a page; `sent` is the limit parameter, null when left out. */
  pageSize?: (size: number, ctx: Context, sent: string | null) => number;
  /** Index of the first item after a cursor; null: not a cursor of this list. */
  cursorStart?: (
    start: number | null,
    ctx: Context,
    cursor: { text: string; parameter: "after" | "before"; items: readonly StoredRecord[] },
  ) => number | null;
  /** The part of the list that is on the page. */
  window?: (window: Window, ctx: Context, page: { items: readonly StoredRecord[]; size: number }) => Window;
  /** The cursor to the page after this one; null on the last. */
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
  /** The status, headers and problems of a refusal. */
  rejection?: (rejection: Rejection, ctx: Context) => Rejection;
  /** The body of a refusal. */
  errorBody?: (body: Json, ctx: Context, rejection: Rejection) => Json;
  /** The answer as it goes onto the connection. */
  response?: (response: ResponseDraft, ctx: Context) => ResponseDraft;

  // Writing
  /** The index under which an answer is kept: by default space, operation and key together. */
  keyIndex?: (index: string, ctx: Context) => string;
  /** What tells one body from another under the same key. */
  keyFingerprint?: (fingerprint: string, ctx: Context) => string;
  /** The entry found for a key; undefined: the key is new. */
  keyEntry?: (entry: Entry | undefined, ctx: Context) => Entry | undefined;
  /** When a key is remembered. The space between before-write and after-write is a race. */
  keyRemembered?: (
    when: "before-write" | "after-write" | "never",
    ctx: Context,
  ) => "before-write" | "after-write" | "never";
  /** The result given again for a key that was used. */
  keyReplay?: (result: JsonObject, ctx: Context, entry: Entry) => JsonObject;
  /** Whether two references of financial accounts count as the same one. */
  sameReference?: (same: boolean, ctx: Context, pair: { sent: Json; other: StoredRecord }) => boolean;
  /** Whether checks that need the store are made again at the moment of writing. */
  recheck?: (recheck: boolean, ctx: Context) => boolean;
  /** The fields that an update sets; a field set to undefined is taken away. */
  changes?: (
    changes: Readonly<Record<string, Json | undefined>>,
    ctx: Context,
    record: StoredRecord,
  ) => Readonly<Record<string, Json | undefined>>;
  /** The record that a create or update makes, both shown and stored. previous is null for a create. */
  made?: (record: StoredRecord, ctx: Context, previous: StoredRecord | null) => StoredRecord;
  /** The record that is stored, where it differs from the one shown; null: nothing is stored. */
  stored?: (record: StoredRecord | null, ctx: Context, previous: StoredRecord | null) => StoredRecord | null;
  /** Called after a write, for effects on other things. */
  written?: (ctx: Context, record: StoredRecord, previous: StoredRecord | null) => void;
  /** Called after a single read or for each item of a list, for effects that a read should not have. */
  wasRead?: (ctx: Context, record: StoredRecord) => void;

  // Deliveries
  /** The events that a write causes. */
  events?: (events: readonly ServiceEvent[], service: Service) => readonly ServiceEvent[];
  /** The deliveries of an event to a webhook: normally one, none when it is not subscribed. */
  deliveries?: (
    deliveries: readonly Delivery[],
    service: Service,
    about: { event: ServiceEvent; webhook: StoredRecord },
  ) => readonly Delivery[];
}

/** Hooks with every point filled in: what the service calls. */
export type ActiveHooks = Required<Hooks>;
