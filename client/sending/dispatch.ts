import type { Dispatcher } from "undici";

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

export interface Limits {
  timeout: number;
  late(beginning?: Received): Error;
  largest: number;
  tooLarge(beginning: Received): Error;
  interrupted: AbortSignal;
  abandoned(): Error;
}

const BLOCKED = 100;

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
    // Rejects at once, because undici aborts a waiting request only after it gets a connection.
    const giveUp = (error: Error) => {
      if (fault) return;
      fault = error;
      settle();
      reject(error);
      controller?.abort(error);
    };
    const abandon = () => giveUp(limits.abandoned());
    const beginning = (): Received => ({ status, headers, body: Buffer.concat(chunks) });
    let due = performance.now() + limits.timeout;
    const isLate = () => {
      const overdue = performance.now() - due;
      if (overdue < BLOCKED) return giveUp(limits.late(status === 0 ? undefined : beginning()));
      // The answer may have arrived while this process was too busy to read it.
      due = performance.now() + overdue;
      timer = setTimeout(isLate, overdue);
    };
    let timer = setTimeout(isLate, limits.timeout);
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
          if (statusCode < 200) return;
          status = statusCode;
          headers = joinHeaders(lines);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > limits.largest) giveUp(limits.tooLarge(beginning()));
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
