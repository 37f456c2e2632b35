import type { Dispatcher } from "undici";
import type { Failure } from "../../history/entry.ts";

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

export class NoAnswer extends Error {
  override name = "NoAnswer";
  constructor(
    readonly kind: Failure["fault"],
    message: string,
    readonly beginning?: RawResponse,
  ) {
    super(message);
  }
}

export function timedOut(timeoutMs: number, beginning?: RawResponse): NoAnswer {
  return new NoAnswer("timeout", `no answer within ${timeoutMs} ms`, beginning);
}

export function tooLarge(message: string, beginning?: RawResponse): NoAnswer {
  return new NoAnswer("too-large", message, beginning);
}

/** Returns `8 MB`, `96 kB` or `10 bytes`. */
export function inWords(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} kB` : `${bytes} bytes`;
}

interface Limits {
  timeoutMs: number;
  largestBytes: number;
  interrupted: AbortSignal;
  /** True if the connection is closed once the request is sent. */
  hangsUp: boolean;
}

const BLOCKED_MS = 100;

/**
 * Returns the answer, packed as it came.
 * @throws NoAnswer if it is late, too large or abandoned, and any other error if the connection fails
 */
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
  #fault: NoAnswer | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #due: number;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly limits: Limits,
    private readonly resolve: (received: RawResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.#due = performance.now() + limits.timeoutMs;
    this.#timer = setTimeout(this.#checkTime, limits.timeoutMs);
    limits.interrupted.addEventListener("abort", this.abandon, { once: true });
  }

  readonly abandon = (): void => this.#giveUp(new NoAnswer("aborted", "the run was interrupted"));

  readonly #checkTime = (): void => {
    const overdue = performance.now() - this.#due;
    if (overdue < BLOCKED_MS) {
      this.#giveUp(timedOut(this.limits.timeoutMs, this.#beginning()));
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

  /** Returns the part that has arrived, unless it is packed. */
  #beginning(): RawResponse | undefined {
    const isReadable = this.#status !== 0 && this.#headers["content-encoding"] === undefined;
    return isReadable ? this.#received() : undefined;
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.limits.interrupted.removeEventListener("abort", this.abandon);
  }

  /** Rejects at once, because undici aborts a waiting request only after it gets a connection. */
  #giveUp(error: NoAnswer): void {
    if (this.#fault) return;
    this.#fault = error;
    this.#settle();
    this.reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#fault) controller.abort(this.#fault);
    const hangUp = () => this.#giveUp(new NoAnswer("hung-up", "the suite closed the connection on purpose"));
    // The request is written right after this call.
    if (this.limits.hangsUp) setImmediate(hangUp);
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
    const { largestBytes } = this.limits;
    if (this.#size <= largestBytes) this.#chunks.push(chunk);
    else this.#giveUp(tooLarge(`the body is larger than ${inWords(largestBytes)}`, this.#beginning()));
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
