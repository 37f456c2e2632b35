/**
 * Every exchange with the service, in order. Rules read it through `History`; only probes and confirmations
 * add to it.
 */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";

/** Pairs keep their order on the wire. Names of headers are in lower case. */
export type Pairs = [name: string, value: string][];

/** If the client sends a request again, the repetition is another entry. */
export interface Entry {
  index: number;
  repeats?: number;
  /**
   * Positions in one order of all beginnings and ends. Exchanges overlap if each began before the other
   * ended.
   */
  begun: number;
  ended: number;
  /** Milliseconds since 1970: for people and the consistency timeout, never for order. */
  startedAt: number;
  durationMs: number;
  /** Rounds count from 1. Confirmation rounds share no resources that were created for them. */
  round: number;
  /** For the report, and to find the same race in another round. */
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
  /** The whole address. The ids in it are in `path` of the entry. */
  url: string;
  query: Pairs;
  headers: Pairs;
  body: Body | null;
}

export interface Response {
  status: number;
  headers: Pairs;
  /** A recorder may have left headers out. */
  isPartial?: boolean;
  body: Body;
}

export interface Failure {
  fault: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted";
  message: string;
  /** True if the service may have carried out the request. */
  mayHaveHappened: boolean;
  /** The least number of items on a page that was too large to be read. */
  itemsAtLeast?: number;
}

export interface Body {
  text: string;
  /** `text` is only the beginning of the body, which is no evidence of its content. */
  cut: boolean;
  unreadable?: "not-utf-8" | "not-unpacked";
  json(): unknown;
}

/** A request of the service to an address that the run gave it. */
export interface Delivery {
  /** Its position in the order of the beginnings and ends of exchanges. */
  at: number;
  mailbox: string;
  method: string;
  headers: Pairs;
  body: Body;
  /**
   * The header with the HMAC-SHA256 of the body under the webhook's secret, found before that is redacted;
   * else null.
   */
  signedIn: string | null;
}

/** `token` is a pseudonym, the same for the same token. */
export interface Credential {
  kind: "token" | "none" | "empty-header" | "empty-token" | "unknown" | "altered" | "other-scheme" | "bare";
  token: string | null;
}

export interface Head {
  /** The text that marks everything that the run creates; null for the traffic of others. */
  runTag: string | null;
  /** In the traffic of others: texts that only their senders can have brought to the service. */
  tags?: ReadonlySet<string>;
  /** Milliseconds during which reads and lists may not show a write yet. */
  consistencyTimeoutMs: number;
  spaces: string[];
  fixtures: Record<string, string>;
  seed: number;
}

export function statusOf({ response }: Entry): number | undefined {
  return "status" in response ? response.status : undefined;
}

export function isAccepted(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 200 && status < 300;
}

/** True for a 4xx, except 429 and 408, which do not depend on the request. */
export function isRejected(entry: Entry): boolean {
  const status = statusOf(entry) ?? 0;
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

export function isOrdinary({ credential, space, operation }: Entry, { spaces }: Head): boolean {
  const isOwnSpace = space === null ? operation?.space?.required !== true : spaces.includes(space);
  return credential.kind === "token" && isOwnSpace;
}

/** Values that the user gave. A fixture may have several. */
export function fixtureIds({ fixtures }: Pick<Head, "fixtures">): string[] {
  return Object.values(fixtures).flatMap((value) => value.split(","));
}

export function endOf({ startedAt, durationMs }: Pick<Entry, "startedAt" | "durationMs">): number {
  return startedAt + durationMs;
}

export function overlaps(one: Entry, other: Entry): boolean {
  return one.begun < other.ended && other.begun < one.ended;
}

export function header(pairs: Pairs, name: string): string | undefined {
  return pairs.find(([candidate]) => candidate === name.toLowerCase())?.[1];
}

/** Undefined if the body is missing, cut, or not JSON. */
export function responseJson({ response }: Entry): unknown {
  return "status" in response && !response.body.cut ? response.body.json() : undefined;
}

export function resourceIn(entry: Entry): JsonObject | undefined {
  const json = isAccepted(entry) ? responseJson(entry) : undefined;
  return isObject(json) && isObject(json.result) ? json.result : undefined;
}

export function requestJson({ request }: Entry): unknown {
  return request.body === null || request.body.cut ? undefined : request.body.json();
}
