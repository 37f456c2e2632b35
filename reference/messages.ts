import type { JsonObject } from "./json.ts";

export interface IncomingRequest {
  readonly method: string;
  /** The path, percent-encoded, without query and base path. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** True if the body was longer than the service reads. */
  readonly tooLarge: boolean;
  /** An object that is the same for all requests of one TCP connection. */
  readonly connection?: object;
}

export interface ResponseDraft {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  readonly delayMs: number;
  /**
   * How the body is sent. `whole`: with a Content-Length; `chunked`: in several chunks; `bytewise`: a byte at
   * a time; `until-close`: without a length, ended by closing the connection.
   */
  readonly transfer: "whole" | "chunked" | "bytewise" | "until-close";
  /**
   * A fault of the connection. `none`: answer; `hang`: never answer; `reset`: close before answering;
   * `truncate`: close halfway.
   */
  readonly fault: "none" | "hang" | "reset" | "truncate";
  /** The words of the status line, if not the standard ones. */
  readonly reason?: string;
  /** Headers after the body, which only a chunked body can have. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** True to send 102 and 103 before the answer. */
  readonly informational?: boolean;
  /** The number of answers after which the connection is closed without an announcement. */
  readonly closesAfter?: number;
}

export interface ServiceEvent {
  readonly id: string;
  readonly name: string;
  readonly space: string;
  readonly time: string;
  readonly data: JsonObject;
}

export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
}
