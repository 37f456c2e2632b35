/** What goes over connections: requests, answers, and deliveries of events. */

import type { JsonObject } from "./json.ts";

/** A request as it was read from the connection. */
export interface IncomingRequest {
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query and without the service's base path. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Whether the body was longer than the service reads. */
  readonly tooLarge: boolean;
  /** An object for each TCP connection: requests of one connection have the same one. */
  readonly connection?: object;
}

/** How an answer goes onto the connection. */
export interface ResponseDraft {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  /** Waiting time before the answer, in milliseconds. */
  readonly delayMs: number;
  /** whole: with a Content-Length; chunked: in several chunks; bytewise: a byte at a time; until-close: with no length, ended by closing the connection. */
  readonly transfer: "whole" | "chunked" | "bytewise" | "until-close";
  /** none: answer; hang: never answer; reset: close before answering; truncate: close halfway. */
  readonly fault: "none" | "hang" | "reset" | "truncate";
  /** The words beside the status, where they are not the usual ones. */
  readonly reason?: string;
  /** Headers behind the body; only with a chunked one. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** Informational answers that go ahead of this one: 102 and 103. */
  readonly informational?: boolean;
  /** Answers after which the connection is closed without an announcement. */
  readonly closesAfter?: number;
}

/** Something that happened in a space. */
export interface ServiceEvent {
  readonly id: string;
  readonly name: string;
  readonly space: string;
  /** When, as an RFC 3339 date-time. */
  readonly time: string;
  /** The resource it is about, as an answer shows it. */
  readonly data: JsonObject;
}

/** One POST of an event to a webhook. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
}
