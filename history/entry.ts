/**
 * The history of a run: every exchange with the service, in order, as it was asked and answered. Nothing here sends a
 * request. Rules read the history through `History`; probes and confirmation only add to it.
 */

import type { Operation } from "../spec/model/spec.ts";

/** Names and values in the order in which they stood. Names of headers are in lower case. */
type Pairs = [name: string, value: string][];

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
  /** Who asked. For the report only: no rule may read it. */
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
  body: Body;
}

/** No answer came, or none that is HTTP. */
export interface Failure {
  fault: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted";
  message: string;
  /** Whether the service may have carried out the request all the same. */
  mayHaveHappened: boolean;
}

/** A body as it was sent or received, unpacked. */
export interface Body {
  text: string;
  /** Whether `text` is only the beginning: such a body is no evidence of what it holds. */
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
