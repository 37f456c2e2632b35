/**
 * The history of a run: every exchange with the service, in order. Nothing here sends a request. Rules read
 * the history through `History`; only probes and confirmations add to it.
 */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";

/** Names and values in their order on the wire. Names of headers are in lower case. */
export type Pairs = [name: string, value: string][];

/** An exchange on the wire. If the client sends a request again, that is another entry. */
export interface Entry {
  /** The position in the history, from 0. */
  index: number;
  /** The index of the entry whose request this one repeats unchanged. */
  repeats?: number;
  /**
   * Positions in one order of all beginnings and ends. Calls overlap if each began before the other ended.
   */
  begun: number;
  ended: number;
  /** Milliseconds since 1970, for people and for the consistency timeout, but never for order. */
  startedAt: number;
  durationMs: number;
  /** The confirmation round that sent it, from 1. Rounds share no resources that were created for them. */
  round: number;
  /** The check or probe that sent it: for the report, and to find the same race in another round. */
  probe?: string;
  /** The documented operation of method and path; null if there is none. */
  operation: Operation | null;
  /** Decoded values of the path's parameters. */
  path: Record<string, string>;
  /** The version header; null if none was sent. */
  version: string | null;
  /** The space header; null if none was sent. */
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

/** There was no answer, or none that is HTTP. */
export interface Failure {
  fault: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted";
  message: string;
  /** True if the service may have carried out the request. */
  mayHaveHappened: boolean;
  /** The least number of items on a page that was too large to be read. */
  itemsAtLeast?: number;
}

/** A body as it was sent or received, unpacked. */
export interface Body {
  text: string;
  /** True if `text` is only the beginning of the body, which is no evidence of its content. */
  cut: boolean;
  unreadable?: "not-utf-8" | "not-unpacked";
  /** The parsed value; undefined if the whole text is not JSON. */
  json(): unknown;
}

/** How a request authenticates. `token` is a pseudonym, the same for the same token. */
export interface Credential {
  kind: "token" | "none" | "empty-header" | "empty-token" | "unknown" | "altered" | "other-scheme" | "bare";
  token: string | null;
}

/** Facts about the run that no entry holds. */
export interface Head {
  /** The text that marks everything that the run creates; null for the traffic of others. */
  runTag: string | null;
  /** Milliseconds during which reads and lists may not show a write yet. */
  consistencyTimeoutMs: number;
  /** The spaces that the user named, the first one first. */
  spaces: string[];
  /** The user's fixtures, by name. */
  fixtures: Record<string, string>;
  seed: number;
}

/** The status of the response; undefined if there was none. */
export function statusOf({ response }: Entry): number | undefined {
  return "status" in response ? response.status : undefined;
}

/** True for a 2xx. */
export function isAccepted(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 200 && status < 300;
}

/** True for a 4xx. 429 and 408 are no rejections, because they do not depend on the request. */
export function isRejected(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

/** True if a request has the user's own token, and the user's space if the operation needs one. */
export function isOrdinary({ credential, space, operation }: Entry, { spaces }: Head): boolean {
  const isOwnSpace = space === null ? operation?.space?.required !== true : spaces.includes(space);
  return credential.kind === "token" && isOwnSpace;
}

/** When the exchange ended, in milliseconds since 1970. */
export function endOf({ startedAt, durationMs }: Pick<Entry, "startedAt" | "durationMs">): number {
  return startedAt + durationMs;
}

/** True if two calls ran at the same time. */
export function overlaps(one: Entry, other: Entry): boolean {
  return one.begun < other.ended && other.begun < one.ended;
}

/** The value of a header; undefined if it is missing. */
export function header(pairs: Pairs, name: string): string | undefined {
  return pairs.find(([candidate]) => candidate === name.toLowerCase())?.[1];
}

/** The parsed body of the response; undefined if there is none, it was cut, or it is not JSON. */
export function responseJson({ response }: Entry): unknown {
  return "status" in response && !response.body.cut ? response.body.json() : undefined;
}

/** The member `result` of a success with a single resource; undefined otherwise. */
export function resourceIn(entry: Entry): JsonObject | undefined {
  const json = isAccepted(entry) ? responseJson(entry) : undefined;
  return isObject(json) && isObject(json.result) ? json.result : undefined;
}

/** The parsed body of the request; undefined if there is none, it was cut, or it is not JSON. */
export function requestJson({ request }: Entry): unknown {
  return request.body === null || request.body.cut ? undefined : request.body.json();
}
