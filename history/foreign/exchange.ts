import type { Body, Pairs } from "../entry.ts";

export interface ForeignExchange {
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number | null;
  resolutionMs: number;
  request: {
    method: string;
    url: string;
    headers: Pairs | null;
    body: ForeignBody | null;
  };
  response: { status: number; headers: Pairs | null; body: ForeignBody } | null;
}

export type ForeignBody = Pick<Body, "text" | "cut" | "unreadable">;

export const NOT_RECORDED: ForeignBody = { text: "", cut: true };

export function fromBase64(text: string): ForeignBody {
  return fromBytes(Buffer.from(text, "base64"));
}

/** Returns the body as text. `unreadable` says if the bytes are no UTF-8. */
export function fromBytes(bytes: Buffer): ForeignBody {
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded, "utf8").equals(bytes)
    ? { text: decoded, cut: false }
    : { text: decoded, cut: false, unreadable: "not-utf-8" };
}

/** Returns the time in milliseconds since 1970, and how exact it is. */
export function timeOf(text: string): { at: number; resolutionMs: number } | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const [, fraction = ""] = /:\d\d\.(\d+)/.exec(text) ?? [];
  return { at, resolutionMs: fraction.length >= 3 ? 1 : 10 ** (3 - fraction.length) };
}
