/** Exchanges that other tools recorded, in one form, whatever file they come from. */

import type { Body, Pairs } from "../entry.ts";

export interface ForeignExchange {
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Null if nobody knows how long it took. */
  durationMs: number | null;
  /** How exact the times are, in milliseconds. */
  resolutionMs: number;
  request: {
    method: string;
    /** With or without scheme and host. */
    url: string;
    /** Null if the recorder keeps no headers. */
    headers: Pairs | null;
    /** Null if there was none. */
    body: ForeignBody | null;
  };
  /** Null if none came, or none was recorded. */
  response: { status: number; headers: Pairs | null; body: ForeignBody } | null;
}

export type ForeignBody = Pick<Body, "text" | "cut" | "unreadable">;

/** A body of which nothing was recorded. */
export const NOT_RECORDED: ForeignBody = { text: "", cut: true };

/** The body of bytes in base64. */
export function fromBase64(text: string): ForeignBody {
  return fromBytes(Buffer.from(text, "base64"));
}

export function fromBytes(bytes: Buffer): ForeignBody {
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded, "utf8").equals(bytes)
    ? { text: decoded, cut: false }
    : { text: decoded, cut: false, unreadable: "not-utf-8" };
}

/** Milliseconds since the epoch of an RFC 3339 time, and how exact it is; undefined if it is none. */
export function timeOf(text: string): { at: number; resolutionMs: number } | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const [, fraction = ""] = /:\d\d\.(\d+)/.exec(text) ?? [];
  return { at, resolutionMs: fraction.length >= 3 ? 1 : 10 ** (3 - fraction.length) };
}
