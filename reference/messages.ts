import type { JsonObject } from "./json.ts";

export interface IncomingRequest {
  readonly method: string;
  /** Percent-encoded, without query and base path. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly tooLarge: boolean;
  /** The same object for all requests of one TCP connection. */
  readonly connection?: object;
}

export interface ResponseDraft {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  readonly delayMs: number;
  /** `bytewise`: one byte at a time. `until-close`: the end of the connection ends the body. */
  readonly transfer: "whole" | "chunked" | "bytewise" | "until-close";
  /** `hang`: no answer. `reset`: the connection closes first. `truncate`: it closes in the middle of the body. */
  readonly fault: "none" | "hang" | "reset" | "truncate";
  readonly reason?: string;
  /** Headers after the body. Only a chunked body can have them. */
  readonly trailers?: Readonly<Record<string, string>>;
  readonly informational?: boolean;
  /** The number of answers after which the service closes the connection. */
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
