import { fixtureValues } from "../spec/fixture-values.ts";
import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../spec/json.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";

/** Header or query pairs in their order on the wire. Header names are in lower case. */
export type Pairs = [name: string, value: string][];

export interface Entry {
  index: number;
  repeats?: number;
  /** Positions among the begins and ends of all exchanges, not times. */
  begun: number;
  ended: number;
  /** Milliseconds since 1970. `begun` gives the order of entries with equal times. */
  startedAt: number;
  durationMs: number;
  /** 1 for the run itself. Each confirmation has a higher number. */
  round: number;
  probe?: string;
  operation: Operation | null;
  path: Record<string, string>;
  version: string | null;
  space: string | null;
  credential: Credential;
  request: Request;
  response: Response | Failure;
}

interface Request {
  method: string;
  url: string;
  query: Pairs;
  headers: Pairs;
  /** True if a recorder may have left out headers that the operation takes. */
  isPartial?: boolean;
  body: Body | null;
}

export interface Response {
  status: number;
  headers: Pairs;
  isPartial?: boolean;
  body: Body;
}

export interface Failure {
  /** `hung-up` means that the suite closed the connection before the answer. */
  fault: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted" | "hung-up";
  message: string;
  mayHaveHappened: boolean;
  itemsAtLeast?: number;
}

export interface Body {
  text: string;
  cut: boolean;
  unreadable?: "not-utf-8" | "not-unpacked";
  json(): unknown;
}

export interface Delivery {
  at: number;
  mailbox: string;
  method: string;
  headers: Pairs;
  body: Body;
  /** The header with the body's HMAC-SHA256 under the webhook's secret, found before redaction. */
  signedIn: string | null;
}

export interface Credential {
  kind: "token" | "none" | "empty-header" | "empty-token" | "unknown" | "altered" | "other-scheme" | "bare";
  token: string | null;
}

export interface Head {
  /** The run tag, or null for traffic that others recorded. */
  runTag: string | null;
  tags?: ReadonlySet<string>;
  consistencyTimeoutMs: number;
  spaces: string[];
  fixtures: Record<string, string>;
  seed: number;
}

/** The facts of a history, for files that `history.ts` needs itself. */
export interface HistoryFacts {
  spec: Spec;
  head: Head;
  entries: readonly Entry[];
  /** The entries of all rounds, because resources outlive their round. */
  context: readonly Entry[];
}

/** Returns the status, or `undefined` if there was no answer. */
export function statusOf({ response }: Entry): number | undefined {
  return "status" in response ? response.status : undefined;
}

export const UNAUTHORIZED = 401;

/** Statuses for a request without a token, or with one that may not do this. */
export const ABOUT_ACCESS: ReadonlySet<number | undefined> = new Set([UNAUTHORIZED, 403]);

/** Statuses for a resource that does not exist. */
export const NOT_FOUND: ReadonlySet<number> = new Set([404, 410]);

export function isAccepted(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 200 && status < 300;
}

/** True for 429, and for 403 with Retry-After, which some services send instead. */
export function isRateLimit(status: number, retryAfter: string | undefined): boolean {
  return status === 429 || (status === 403 && retryAfter !== undefined);
}

/** Returns the time in the Date header, in milliseconds since 1970. */
export function dateOf({ response }: Entry): number | undefined {
  const date = Date.parse(("headers" in response && header(response.headers, "date")) || "");
  return Number.isNaN(date) ? undefined : date;
}

export function isRateLimited({ response }: Entry): boolean {
  if (!("status" in response) || response.status < 400) return false;
  return isRateLimit(response.status, header(response.headers, "retry-after"));
}

/** True for 4xx, except 408 and rate limits, which the request does not cause. */
export function isRejected(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && !isRateLimited(entry);
}

/** Statuses that the state of a resource or replica may explain. */
const EXCUSED: ReadonlySet<number> = new Set([404, 409, 410, 423, 425]);

/** True for statuses that the state of the resource may explain, such as 409. */
export function hasExcusedStatus(entry: Entry): boolean {
  return EXCUSED.has(statusOf(entry) ?? 0);
}

/** True if the paths name the same resource below the same parents. Parameters may have other names. */
export function haveSameIds(
  { path: one }: Pick<Entry, "path">,
  { path: other }: Pick<Entry, "path">,
): boolean {
  return sameJson(Object.values(one), Object.values(other));
}

/** True if the paths have the same ids in the parameters of both: a resource below other parents may have the same id. */
export function mayShareIds(
  { path: one }: Pick<Entry, "path">,
  { path: other }: Pick<Entry, "path">,
): boolean {
  return Object.entries(one).every(([name, id]) => (other[name] ?? id) === id);
}

export function isWrite({ request }: Entry): boolean {
  return request.method !== "GET";
}

/** Returns each entry once, in the order of the requests. */
export function inOrder(entries: Iterable<Entry>): Entry[] {
  return [...new Set(entries)].sort((one, other) => one.index - other.index);
}

/** True for a token and a space of the run, or no space if none is required. */
export function isOrdinary({ credential, space, operation }: Entry, { spaces }: Head): boolean {
  const isOwnSpace = space === null ? operation?.space?.required !== true : spaces.includes(space);
  return credential.kind === "token" && isOwnSpace;
}

/** True if the request names the space, or its operation has none. */
export function isInSpace(entry: Pick<Entry, "operation" | "space">, space: string | null): boolean {
  return !entry.operation?.space || entry.space === space;
}

/** Returns the id at the end of the path, such as that of `/webhooks/{id}`. */
export function pathId({ operation, path }: Pick<Entry, "operation" | "path">): string | undefined {
  return operation?.pathParameter && path[operation.pathParameter.name];
}

/** Returns the id of the resource that an action is about (`/jobs/{id}/close`). */
export function idBeforeAction({ operation, path }: Pick<Entry, "operation" | "path">): string | undefined {
  return path[operation?.outer.at(-1)?.name ?? ""];
}

/** Returns the id of the resource that an update or an action names. */
export function changedId(entry: Pick<Entry, "operation" | "path">): string | undefined {
  return pathId(entry) ?? idBeforeAction(entry);
}

export function fixtureIds({ fixtures }: Pick<Head, "fixtures">): string[] {
  return Object.values(fixtures).flatMap(fixtureValues);
}

/** Returns when the answer was complete, in milliseconds since 1970. */
export function endOf({ startedAt, durationMs }: Pick<Entry, "startedAt" | "durationMs">): number {
  return startedAt + durationMs;
}

/** True if the request began less than `durationMs` milliseconds after the answer to the other. */
export function startsWithin({ startedAt }: Entry, after: Entry, durationMs: number): boolean {
  return startedAt - endOf(after) < durationMs;
}

/** True if both requests were under way at the same time. */
export function overlaps(one: Entry, other: Entry): boolean {
  return one.begun < other.ended && other.begun < one.ended;
}

/** True if the request was under way at some time from the begin of the first to the end of the last. */
export function isBetween({ begun, ended }: Entry, first: Entry, last: Entry): boolean {
  return ended > first.begun && begun < last.ended;
}

/** True if space and token are equal. */
export function hasSameCaller(one: Entry, other: Entry): boolean {
  return one.space === other.space && one.credential.token === other.credential.token;
}

/** Returns the first header of this name, in any letter case. */
export function header(pairs: Pairs, name: string): string | undefined {
  return pairs.find(([candidate]) => candidate === name.toLowerCase())?.[1];
}

export function idempotencyKeyIn({
  operation,
  request,
}: Pick<Entry, "operation" | "request">): string | undefined {
  const parameter = operation?.idempotencyKey;
  return parameter && header(request.headers, parameter.name);
}

/** Returns the headers that may choose a language or a form of the answer. */
export function otherHeaders({ operation, request }: Pick<Entry, "operation" | "request">): string[] {
  const others = operation?.parameters.filter(isChoosingHeader) ?? [];
  return others.map(({ name }) => header(request.headers, name) ?? "");
}

/** True for headers that choose among listed values or switches. Others may name requests. */
export function isChoosingHeader({ in: place, role, schema }: Parameter): boolean {
  return place === "header" && role === "other" && (schema.enum !== undefined || schema.type === "boolean");
}

/** Returns the value of the response body, or `undefined` for no response, a cut body or no JSON. */
export function responseJson({ response }: Entry): unknown {
  return "status" in response && !response.body.cut ? response.body.json() : undefined;
}

/** Returns `result` of the envelope. */
export function resultIn(entry: Entry): unknown {
  const json = responseJson(entry);
  return isObject(json) ? json.result : undefined;
}

/** Returns the id of the resource that the answer shows, as it is shown (17 or "17"). */
export function shownId(spec: Spec, entry: Entry): unknown {
  return resourceIn(entry)?.[identityOf(spec, entry.operation ?? {})];
}

/** Returns `result` of an accepted request if it is an object. */
export function resourceIn(entry: Entry): JsonObject | undefined {
  const result = isAccepted(entry) ? resultIn(entry) : undefined;
  return isObject(result) ? result : undefined;
}

/** Returns the objects in `result` of an accepted request if it is a list. */
export function itemsIn(entry: Entry): JsonObject[] {
  const result = isAccepted(entry) ? resultIn(entry) : undefined;
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** Returns the value of the request body, or `undefined` if no JSON was sent, or the record of it is cut. */
export function requestJson({ request }: Pick<Entry, "request">): unknown {
  return request.body === null || request.body.cut ? undefined : request.body.json();
}

/** Returns the value of the field that the request sends, or `undefined` if it sends none. */
export function sentIn(entry: Pick<Entry, "request">, name: string): unknown {
  return objectSent(entry)?.[name];
}

export function objectSent(entry: Pick<Entry, "request">): JsonObject | undefined {
  const sent = requestJson(entry);
  return isObject(sent) ? sent : undefined;
}

/** Returns `application/json` for `application/json; charset=utf-8`. */
export function mediaType(value: string | undefined): string | undefined {
  return value?.split(";")[0]?.trim().toLowerCase();
}
