import type { JsonObject } from "./json.ts";
import type { Operation, OperationName } from "./operations.ts";
import type { Rejection } from "./problems.ts";
import type { Service } from "./service.ts";

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
}

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

/** The context of a request nothing is known about yet. */
export function newContext(service: Service, request: IncomingRequest, number: number): Context {
  return {
    service,
    number,
    request,
    operation: "",
    facts: null,
    underV1: false,
    params: {},
    query: new Map(),
    token: "",
    version: null,
    space: "",
    key: "",
    body: {},
    lateRejections: [],
  };
}
