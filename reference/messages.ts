import type { JsonObject } from "./json.ts";

export interface IncomingRequest {
  readonly method: string;
  /** The path, percent-encoded, without query and base path. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly tooLarge: boolean;
  /** An object that stands for the TCP connection. */
  readonly connection?: object;
}

export interface ResponseDraft {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  readonly delayMs: number;
  /** `bytewise`: one byte at a time. `until-close`: the end of the connection ends the body. */
  readonly transfer: "whole" | "chunked" | "bytewise" | "until-close";
  /** `hang`: no answer. `reset`: closes first. `truncate`: closes within the body. */
  readonly fault: "none" | "hang" | "reset" | "truncate";
  readonly reason?: string;
  /** Only a chunked body can have trailers. */
  readonly trailers?: Readonly<Record<string, string>>;
  readonly informational?: boolean;
  /** The service closes the connection after this many answers. */
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
