/** One HTTP exchange, with undici: no redirects followed, every answer bounded, every fault a plain sentence. */

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { Agent, request } from "undici";

export interface RawRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** No answer came, or none that is HTTP. `kind` tells a closed connection from a wait that was too long. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
  readonly kind: "timeout" | "closed" | "unreachable" | "not-http" | "too-large" | "aborted";
  constructor(kind: NoAnswer["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Larger answers are not read to their end. */
const LARGEST_BODY = 32 * 1024 * 1024;

export class HttpClient {
  readonly #timeout: number;
  readonly #keptAlive: Agent;
  readonly #fresh: Agent;

  constructor(options: { timeout: number; concurrency: number }) {
    this.#timeout = options.timeout;
    const common = {
      connect: { timeout: options.timeout },
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      maxHeaderSize: 64 * 1024,
    };
    this.#keptAlive = new Agent({ ...common, connections: options.concurrency, keepAliveTimeout: 2_000 });
    // A call that may create something never rides on a connection that the service may be closing.
    this.#fresh = new Agent({ ...common, pipelining: 0 });
  }

  /** Sends and reads to the end. Throws NoAnswer. */
  async exchange(raw: RawRequest, interrupted: AbortSignal): Promise<RawResponse> {
    const late = AbortSignal.timeout(this.#timeout);
    const safe = raw.method === "GET" || raw.method === "HEAD";
    try {
      const response = await request(raw.url, {
        method: raw.method as "GET",
        headers: raw.headers,
        body: raw.body,
        dispatcher: safe ? this.#keptAlive : this.#fresh,
        signal: AbortSignal.any([late, interrupted]),
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > LARGEST_BODY)
          throw new NoAnswer("too-large", `the answer is larger than ${LARGEST_BODY} bytes`);
        chunks.push(chunk);
      }
      const headers = joinHeaders(response.headers);
      const body = await decode(Buffer.concat(chunks), headers["content-encoding"]);
      return { status: response.statusCode, headers, body };
    } catch (error) {
      throw asNoAnswer(error, {
        late: late.aborted,
        interrupted: interrupted.aborted,
        timeout: this.#timeout,
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#keptAlive.destroy(), this.#fresh.destroy()]);
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify(gunzip)(body, { maxOutputLength: LARGEST_BODY }),
  br: (body) => promisify(brotliDecompress)(body, { maxOutputLength: LARGEST_BODY }),
  // "deflate" is the zlib format, but some send it bare.
  deflate: (body) =>
    promisify(inflate)(body, { maxOutputLength: LARGEST_BODY }).catch(() =>
      promisify(inflateRaw)(body, { maxOutputLength: LARGEST_BODY }),
    ),
};

async function decode(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  const codings = (encoding ?? "").split(",").map((coding) => coding.trim().toLowerCase().replace(/^x-/, ""));
  let decoded = body;
  for (const coding of codings.reverse()) {
    const decoder = decoders[coding];
    if (!decoder || decoded.length === 0) continue;
    try {
      decoded = await decoder(decoded);
    } catch {
      return decoded; // what does not decode is judged as it came: it will not be JSON
    }
  }
  return decoded;
}

function asNoAnswer(
  error: unknown,
  state: { late: boolean; interrupted: boolean; timeout: number },
): NoAnswer {
  if (error instanceof NoAnswer) return error;
  if (state.interrupted) return new NoAnswer("aborted", "the run was interrupted");
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (state.late || /TIMEOUT/.test(code))
    return new NoAnswer("timeout", `no answer within ${state.timeout} ms`);
  if (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(
      code,
    )
  ) {
    return new NoAnswer("unreachable", message || code);
  }
  if (/^HPE_|PARSER/.test(code) || (error as Error).name === "HTTPParserError") {
    return new NoAnswer("not-http", `the answer is not HTTP: ${message}`);
  }
  return new NoAnswer("closed", `the connection was closed without an answer (${message})`);
}
