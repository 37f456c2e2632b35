/** One request on one connection, up to the end of its answer: within a time, and no longer than may be read. */

import type { Dispatcher } from "undici";

/** An answer as it came, its body packed as it is. Names of headers in lower case; repeated ones joined with ", ". */
export interface Received {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What ends waiting for an answer; each gives the error to end with. */
export interface Limits {
  /** Milliseconds up to the end of the answer, the time to connect included. */
  timeout: number;
  late(): Error;
  /** Bytes of the body as it comes. */
  largest: number;
  /** Takes what was received up to there. */
  tooLarge(beginning: Received): Error;
  interrupted: AbortSignal;
  abandoned(): Error;
}

/** Sends a request and reads its answer to the end. Rejects with what undici says, or with what a limit gives. */
export function dispatch(dispatcher: Dispatcher, sending: Sending, limits: Limits): Promise<Received> {
  const { method, url, headers: sent, body } = sending;
  const { origin, pathname, search } = new URL(url);
  const { interrupted } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    let fault: Error | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const settle = () => {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", abandon);
    };
    // What still waits for a connection is given up when its turn comes; nobody waits for that.
    const giveUp = (error: Error) => {
      if (fault) return;
      fault = error;
      settle();
      reject(error);
      controller?.abort(error);
    };
    const abandon = () => giveUp(limits.abandoned());
    const timer = setTimeout(() => giveUp(limits.late()), limits.timeout);
    interrupted.addEventListener("abort", abandon, { once: true });
    if (interrupted.aborted) return abandon();
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: method as "GET", headers: sent, body },
      {
        onRequestStart(begun) {
          controller = begun;
          if (fault) begun.abort(fault);
        },
        onResponseStart(_, statusCode, lines) {
          // What comes before the answer (1xx) is none.
          if (statusCode < 200) return;
          status = statusCode;
          headers = joinHeaders(lines);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > limits.largest)
            giveUp(limits.tooLarge({ status, headers, body: Buffer.concat(chunks) }));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          settle();
          resolve({
            status,
            headers,
            body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
          });
        },
        onResponseError(_, error) {
          settle();
          reject(error);
        },
      },
    );
  });
}

function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
