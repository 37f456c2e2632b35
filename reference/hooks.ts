import type { Context, IncomingRequest, ResponseDraft } from "./context.ts";
import type { Delivery, ServiceEvent } from "./deliveries.ts";
import type { Entry } from "./idempotency.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Operation } from "./operations.ts";
import type { Problem, Rejection, Rule, Stage } from "./problems.ts";
import type { Service } from "./service.ts";
import type { Dataset, Kind, StoredRecord } from "./store.ts";

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

function fold<V, A extends unknown[]>(
  steps: readonly (((value: V, ...rest: A) => V) | undefined)[],
): (value: V, ...rest: A) => V {
  const given = steps.filter((step) => step !== undefined);
  // Hooks are called for every item of a list: where there is none, it should cost nothing.
  if (given.length === 0) return (value, ..._rest) => value;
  return (value, ...rest) => {
    let current = value;
    for (const step of given) current = step(current, ...rest);
    return current;
  };
}

function each<A extends unknown[]>(
  steps: readonly (((...args: A) => void) | undefined)[],
): (...args: A) => void {
  const given = steps.filter((step) => step !== undefined);
  return (...args) => {
    for (const step of given) step(...args);
  };
}

function eachAwaited<A extends unknown[]>(
  steps: readonly (((...args: A) => void | Promise<void>) | undefined)[],
): (...args: A) => void | Promise<void> {
  const given = steps.filter((step) => step !== undefined);
  if (given.length === 0) return () => undefined;
  return async (...args) => {
    for (const step of given) await step(...args);
  };
}

/** Joins sets of hooks into one, so that several defects work together. */
export function compose(sets: readonly Hooks[]): ActiveHooks {
  return {
    seed: fold(sets.map((set) => set.seed)),
    started: each(sets.map((set) => set.started)),
    request: fold(sets.map((set) => set.request)),
    route: fold(sets.map((set) => set.route)),
    pause: eachAwaited(sets.map((set) => set.pause)),
    credentials: fold(sets.map((set) => set.credentials)),
    effectiveSpace: fold(sets.map((set) => set.effectiveSpace)),
    limit: fold(sets.map((set) => set.limit)),
    problems: fold(sets.map((set) => set.problems)),
    late: fold(sets.map((set) => set.late)),
    visible: fold(sets.map((set) => set.visible)),
    found: fold(sets.map((set) => set.found)),
    members: fold(sets.map((set) => set.members)),
    matches: fold(sets.map((set) => set.matches)),
    pageSize: fold(sets.map((set) => set.pageSize)),
    cursorStart: fold(sets.map((set) => set.cursorStart)),
    window: fold(sets.map((set) => set.window)),
    cursorText: fold(sets.map((set) => set.cursorText)),
    item: fold(sets.map((set) => set.item)),
    pagination: fold(sets.map((set) => set.pagination)),
    envelope: fold<Json, [Context]>(sets.map((set) => liftEnvelope(set.envelope))),
    rejection: fold(sets.map((set) => set.rejection)),
    errorBody: fold(sets.map((set) => set.errorBody)),
    response: fold(sets.map((set) => set.response)),
    keyIndex: fold(sets.map((set) => set.keyIndex)),
    keyFingerprint: fold(sets.map((set) => set.keyFingerprint)),
    keyEntry: fold(sets.map((set) => set.keyEntry)),
    keyRemembered: fold(sets.map((set) => set.keyRemembered)),
    keyReplay: fold(sets.map((set) => set.keyReplay)),
    sameReference: fold(sets.map((set) => set.sameReference)),
    recheck: fold(sets.map((set) => set.recheck)),
    changes: fold(sets.map((set) => set.changes)),
    made: fold(sets.map((set) => set.made)),
    stored: fold(sets.map((set) => set.stored)),
    written: each(sets.map((set) => set.written)),
    wasRead: each(sets.map((set) => set.wasRead)),
    events: fold(sets.map((set) => set.events)),
    deliveries: fold(sets.map((set) => set.deliveries)),
  };
}

/** An envelope that an earlier hook made into something else than an object is left as it is. */
function liftEnvelope(hook: Hooks["envelope"]): ((body: Json, ctx: Context) => Json) | undefined {
  if (!hook) return undefined;
  return (body, ctx) =>
    typeof body === "object" && body !== null && !Array.isArray(body) ? hook(body, ctx) : body;
}
