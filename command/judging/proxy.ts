import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline, Transform } from "node:stream";
import { type Dispatcher, request as send } from "undici";
import { decode } from "../../client/sending/http.ts";
import type { Connections } from "../../client/sending/network.ts";
import type { Pairs } from "../../history/entry.ts";
import {
  type ForeignBody,
  type ForeignExchange,
  fromBytes,
  NOT_RECORDED,
} from "../../history/foreign/exchange.ts";
import { UsageError } from "../../spec/usage-error.ts";

export interface ProxyOptions {
  port: number;
  target: string;
  connections: Connections;
  largest: number;
  recorded(exchange: ForeignExchange): void;
  failed(reason: string): void;
}

/** Headers of one connection (RFC 9110 section 7.6.1), or that Node sets, are not passed on. */
const CONNECTION_HEADERS =
  /^(?:connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|expect|host)$/i;

export class RecordingProxy {
  readonly #server: Server;
  readonly #passing = new Set<Promise<void>>();

  constructor(private readonly options: ProxyOptions) {
    this.#server = createServer((request, response) => {
      const passing = this.#pass(request, response).finally(() => this.#passing.delete(passing));
      this.#passing.add(passing);
    });
    // A client that sends no HTTP must not disturb others.
    this.#server.on("clientError", (_, socket) => socket.destroy());
    this.#server.requestTimeout = 0;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.options.port, "127.0.0.1", resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`cannot listen on port ${this.options.port}: ${error.code ?? error.message}`);
    });
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : this.options.port;
    return `http://127.0.0.1:${port}`;
  }

  async close(timeoutMs: number): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    await closed;
    clearTimeout(timer);
    await Promise.all(this.#passing);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { target, connections, largest, recorded, failed } = this.options;
    if (!request.url?.startsWith("/")) {
      response.writeHead(400, { connection: "close" }).end();
      failed(
        "a request that names a whole address is not passed on: this is no HTTP proxy, so call paths at its own address",
      );
      return;
    }
    const begin = performance.now();
    const [sent, received] = [new Copy(largest), new Copy(largest)];
    const url = `${target}${request.url ?? "/"}`;
    const method = request.method ?? "GET";
    const record = async (answer: Answered | null) => {
      const durationMs = performance.now() - begin;
      const body = hasBody(request) ? await sent.body(request.headers["content-encoding"]) : null;
      recorded({
        // With one clock, begin plus duration is the end.
        startedAt: performance.timeOrigin + begin,
        durationMs,
        resolutionMs: 0,
        request: { method, url, headers: pairsOf(request.rawHeaders), body },
        response: answer,
      });
    };
    response.sendDate = false;
    const gone = new AbortController();
    response.on("close", () => response.writableFinished || gone.abort());
    let answer: Answered | null = null;
    try {
      const { statusCode, statusText, headers, body } = await send(url, {
        dispatcher: connections.for(/^(GET|HEAD|OPTIONS)$/.test(method)),
        method: method as Dispatcher.HttpMethod,
        headers: headersToPass(request.rawHeaders),
        body: hasBody(request) ? pipeline(request, sent, () => undefined) : null,
        responseHeaders: "raw",
        signal: gone.signal,
      });
      const raw = (headers as unknown as (string | Buffer)[]).map(String);
      answer = { status: statusCode, headers: pairsOf(raw), body: NOT_RECORDED };
      response.writeHead(statusCode, statusText, headersToPass(raw));
      await new Promise<void>((resolve, reject) =>
        pipeline(body, received, response, (error) => (error ? reject(error) : resolve())),
      );
      const encoding = answer.headers?.find(([name]) => name === "content-encoding")?.[1];
      await record({ ...answer, body: await received.body(encoding) });
    } catch (error) {
      // Without the proxy, the client would see a closed connection, too.
      response.destroy();
      await record(answer);
      if (!gone.signal.aborted) failed((error as Error).message);
    }
  }
}

type Answered = NonNullable<ForeignExchange["response"]>;

class Copy extends Transform {
  readonly #parts: Buffer[] = [];
  #length = 0;

  constructor(private readonly largest: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    if (this.#length <= this.largest) this.#parts.push(chunk);
    this.#length += chunk.length;
    done(null, chunk);
  }

  async body(encoding: string | undefined): Promise<ForeignBody> {
    if (this.#length > this.largest) return NOT_RECORDED;
    try {
      const { body, notPackedWith } = await decode(Buffer.concat(this.#parts), encoding, this.largest);
      return notPackedWith === undefined
        ? fromBytes(body)
        : { text: "", cut: false, unreadable: "not-unpacked" };
    } catch {
      return NOT_RECORDED;
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function headersToPass(raw: readonly string[]): string[] {
  return pairsAsSent(raw).flatMap(([name, value]) => (CONNECTION_HEADERS.test(name) ? [] : [name, value]));
}

function pairsOf(raw: readonly string[]): Pairs {
  return pairsAsSent(raw).map(([name, value]) => [name.toLowerCase(), value]);
}

function pairsAsSent(raw: readonly string[]): Pairs {
  return raw.flatMap((name, index): Pairs => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : []));
}
