import type { Dispatcher } from "undici";

export interface RawRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface RawResponse {
  status: number;
  /** Names are in lower case, and repeated headers are joined. */
  headers: Record<string, string>;
  body: Buffer;
  /** The coding of Content-Encoding with which the body could not be unpacked. */
  notPackedWith?: string;
}

interface Limits {
  timeout: number;
  late(beginning?: RawResponse): Error;
  largest: number;
  tooLarge(beginning: RawResponse): Error;
  interrupted: AbortSignal;
  abandoned(): Error;
  /** Given if the connection is closed once the request is sent. */
  hungUp?: (() => Error) | undefined;
}

const BLOCKED_MS = 100;

/** Returns the answer, or rejects if it is late, too large or abandoned, or if the connection fails. */
export function dispatch(dispatcher: Dispatcher, request: RawRequest, limits: Limits): Promise<RawResponse> {
  const { method, url, headers, body } = request;
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const arriving = new Arriving(limits, resolve, reject);
    if (limits.interrupted.aborted) return arriving.abandon();
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: method as "GET", headers, body },
      arriving,
    );
  });
}

class Arriving implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: Record<string, string> = {};
  #fault: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #due: number;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly limits: Limits,
    private readonly resolve: (received: RawResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.#due = performance.now() + limits.timeout;
    this.#timer = setTimeout(this.#checkTime, limits.timeout);
    limits.interrupted.addEventListener("abort", this.abandon, { once: true });
  }

  readonly abandon = (): void => this.#giveUp(this.limits.abandoned());

  readonly #checkTime = (): void => {
    const overdue = performance.now() - this.#due;
    if (overdue < BLOCKED_MS) {
      this.#giveUp(this.limits.late(this.#status === 0 ? undefined : this.#received()));
    } else {
      // The answer may have arrived while this process was too busy to read it.
      this.#due = performance.now() + overdue;
      this.#timer = setTimeout(this.#checkTime, overdue);
    }
  };

  #received(): RawResponse {
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, body };
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.limits.interrupted.removeEventListener("abort", this.abandon);
  }

  /** Rejects at once, because undici aborts a waiting request only after it gets a connection. */
  #giveUp(error: Error): void {
    if (this.#fault) return;
    this.#fault = error;
    this.#settle();
    this.reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#fault) controller.abort(this.#fault);
    const { hungUp } = this.limits;
    // The request is written right after this call.
    if (hungUp) setImmediate(() => this.#giveUp(hungUp()));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = joinHeaders(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.limits.largest) this.#giveUp(this.limits.tooLarge(this.#received()));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle();
    this.resolve(this.#received());
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settle();
    this.reject(error);
  }
}

/** Returns the headers in lower case, with repeated ones joined by commas (RFC 9110 section 5.2). */
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
