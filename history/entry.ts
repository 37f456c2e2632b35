/**
 * The history of a run: every exchange with the service, in order, as it was asked and answered. Nothing here sends a
 * request. Rules read the history through `History`; probes and confirmation only add to it.
 */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";

/** Names and values in the order in which they stood. Names of headers are in lower case. */
export type Pairs = [name: string, value: string][];

/** One exchange on the wire. A retry by our client is an entry of its own. */
export interface Entry {
  /** Place in the history, from 0. */
  index: number;
  /** The entry that our client sent again, unchanged. */
  repeats?: number;
  /** Places in one order of all begins and ends. Calls overlap if neither ended before the other began. */
  begun: number;
  ended: number;
  /** Milliseconds since the epoch, for people and for the consistency timeout; never for order. */
  startedAt: number;
  durationMs: number;
  /** Which confirmation round asked, from 1: entries of different rounds share no resources that were made for them. */
  round: number;
  /** The check or probe that asked: for the report, and to find the same race in another round. */
  probe?: string;
  /** The documented operation that method and path name; null if there is none. */
  operation: Operation | null;
  /** Values of the path's parameters, decoded. */
  path: Record<string, string>;
  /** Value of the version header; null if none was sent. */
  version: string | null;
  /** Value of the space header; null if none was sent. */
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
  body: Body | null;
}

export interface Response {
  status: number;
  headers: Pairs;
  /** True if a recorder may have left headers out. */
  isPartial?: boolean;
  body: Body;
}

/** No answer came, or none that is HTTP. */
export interface Failure {
  fault: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted";
  message: string;
  /** True if the service may have carried out the request all the same. */
  mayHaveHappened: boolean;
  /** Number of items that a page has at least which was too large to be read. */
  itemsAtLeast?: number;
}

/** A body as it was sent or received, unpacked. */
export interface Body {
  text: string;
  /** True if `text` is only the beginning: such a body is no evidence of its content. */
  cut: boolean;
  unreadable?: "not-utf-8" | "not-unpacked";
  /** The parsed value; undefined if the whole text is not JSON. */
  json(): unknown;
}

/** How a request authenticated itself. `token` is a pseudonym, the same for the same token. */
export interface Credential {
  kind: "token" | "none" | "empty-header" | "empty-token" | "unknown" | "altered" | "other-scheme" | "bare";
  token: string | null;
}

/** Facts about the run that its entries do not hold. */
export interface Head {
  /** The text that marks all that the run creates; null for the traffic of others. */
  runTag: string | null;
  /** Milliseconds for which a write may not show yet in reads and lists. */
  consistencyTimeoutMs: number;
  /** The spaces that the user named, the first one first. */
  spaces: string[];
  /** Fixtures that the user named, by name. */
  fixtures: Record<string, string>;
  seed: number;
}

/** The status of the response; undefined if there was none. */
export function statusOf({ response }: Entry): number | undefined {
  return "status" in response ? response.status : undefined;
}

/** True if the response is a success, 2xx. */
export function isAccepted(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 200 && status < 300;
}

/** True if the response is a rejection, 4xx. 429 and 408 are none, since they say nothing about the request. */
export function isRejected(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

/** True if a request has the user's own token, and the user's space if the operation needs one. */
export function isOrdinary({ credential, space, operation }: Entry, { spaces }: Head): boolean {
  const isOwnSpace = space === null ? operation?.space?.required !== true : spaces.includes(space);
  return credential.kind === "token" && isOwnSpace;
}

/** Milliseconds since the epoch at which the exchange had ended. */
export function endOf({ startedAt, durationMs }: Pick<Entry, "startedAt" | "durationMs">): number {
  return startedAt + durationMs;
}

/** True if two calls were under way at the same time. */
export function overlaps(one: Entry, other: Entry): boolean {
  return one.begun < other.ended && other.begun < one.ended;
}

/** The value of one header; undefined if it was not there. */
export function header(pairs: Pairs, name: string): string | undefined {
  return pairs.find(([candidate]) => candidate === name.toLowerCase())?.[1];
}

/** The parsed body of the response; undefined if there is none, it was cut, or it is not JSON. */
export function responseJson({ response }: Entry): unknown {
  return "status" in response && !response.body.cut ? response.body.json() : undefined;
}

/** `result` of a success that shows a single resource; undefined if it does not. */
export function resourceIn(entry: Entry): JsonObject | undefined {
  const json = isAccepted(entry) ? responseJson(entry) : undefined;
  return isObject(json) && isObject(json.result) ? json.result : undefined;
}

/** The parsed body of the request; undefined if there is none or it is not JSON. */
export function requestJson({ request }: Entry): unknown {
  return request.body === null || request.body.cut ? undefined : request.body.json();
}
