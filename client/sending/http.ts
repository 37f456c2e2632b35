import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { DEEPEST_LEVEL, jsonSize } from "../../spec/json-size.ts";
import {
  dispatch,
  inWords,
  NoAnswer,
  type RawRequest,
  type RawResponse,
  timedOut,
  tooLarge,
} from "./dispatch.ts";
import { type Connections, openConnections } from "./network.ts";

const LARGEST_BODY_BYTES = 8 * 1024 * 1024;
const BYTES_PER_VALUE = 40;
const SMALL_ANSWER_BYTES = 96 * 1024;
/** All large answers together stay in memory, so their bytes are limited. */
const LARGE_ANSWERS_BYTES = 128 * 1024 * 1024;
const MOST_CODINGS = 3;

export class HttpClient {
  readonly #timeout: number;
  readonly #connections: Connections;
  readonly #largest: number;
  #left: number;

  constructor(options: Parameters<typeof openConnections>[0] & { maxBody?: number }) {
    this.#timeout = options.timeout;
    this.#largest = options.maxBody ?? LARGEST_BODY_BYTES;
    this.#left = Math.max(LARGE_ANSWERS_BYTES, 2 * this.#largest);
    this.#connections = openConnections(options);
  }

  /** Sends the request, and returns the response, unpacked. @throws NoAnswer */
  async exchange(
    raw: RawRequest,
    interrupted: AbortSignal,
    { sequence, hangsUp }: { sequence?: string | undefined; hangsUp?: true } = {},
  ): Promise<RawResponse> {
    const timeout = this.#timeout;
    const safe = raw.method === "GET" || raw.method === "HEAD";
    try {
      const { status, headers, body } = await dispatch(this.#connections.for(safe, sequence), raw, {
        timeoutMs: timeout,
        largestBytes: this.#largest,
        interrupted,
        hangsUp: hangsUp ?? false,
      });
      const unpacked = await decode(body, headers["content-encoding"], this.#largest);
      this.#reserveMemory({ status, headers, ...unpacked });
      return { status, headers, ...unpacked };
    } catch (error) {
      const fault = asNoAnswer(error, timeout);
      if (fault.kind === "closed") this.#connections.lost();
      throw fault;
    }
  }

  /** Counts the memory that the answer takes. @throws NoAnswer if it is too large */
  #reserveMemory(response: RawResponse): void {
    const { body } = response;
    const { depth, values } = jsonSize(body.toString("latin1"));
    if (depth > DEEPEST_LEVEL) throw tooLarge(`the body is nested more than ${DEEPEST_LEVEL} levels deep`);
    const taken = body.length + values * BYTES_PER_VALUE;
    if (taken <= SMALL_ANSWER_BYTES) return;
    if (taken > this.#left)
      throw tooLarge(
        `answers of more than ${inWords(SMALL_ANSWER_BYTES)} add up to more than is kept of them in one run`,
        response,
      );
    this.#left -= taken;
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }
}

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decoder> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
  // "deflate" means the zlib format, but some services send raw deflate.
  deflate: (body, options) =>
    promisify<Buffer, typeof options, Buffer>(inflate)(body, options).catch((error: unknown) => {
      if (isTooLong(error)) throw error;
      return promisify<Buffer, typeof options, Buffer>(inflateRaw)(body, options);
    }),
};

function isTooLong(error: unknown): boolean {
  return (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
}

/**
 * Decompresses the body. Names the coding if that fails.
 * @throws NoAnswer if the body is larger than `largest` bytes
 */
export async function decode(
  body: Buffer,
  encoding: string | undefined,
  largest: number,
): Promise<Pick<RawResponse, "body" | "notPackedWith">> {
  const codings = (encoding ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase().replace(/^x-/, ""))
    .filter((coding) => decoders[coding] !== undefined);
  if (codings.length > MOST_CODINGS) throw tooLarge(`the body is packed ${codings.length} times over`);
  let decoded = body;
  for (const coding of codings.reverse()) {
    const decoder = decoders[coding];
    if (!decoder || decoded.length === 0) continue;
    try {
      decoded = await decoder(decoded, { maxOutputLength: largest });
    } catch (error) {
      if (isTooLong(error)) throw tooLarge(`${coding}: more than ${inWords(largest)} when unpacked`);
      return { body, notPackedWith: coding };
    }
  }
  return { body: decoded };
}

/** Translates an error of undici to the reason for no answer, which decides if the request is repeated. */
function asNoAnswer(error: unknown, timeout: number): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (/TIMEOUT/.test(code)) return timedOut(timeout);
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
