import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { NoAnswer, type RawResponse } from "../../../client/sending/dispatch.ts";
import { HttpClient } from "../../../client/sending/http.ts";
import { httpAnswer, type RawServer, rawServer } from "./raw-server.ts";

const never = new AbortController().signal;
const TEXT = JSON.stringify({ success: true, name: "é💸" });

const opened: (RawServer | HttpClient)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function serve(answer: (socket: Socket, head: string, count: number) => void): Promise<RawServer> {
  const server = await rawServer(answer);
  opened.push(server);
  return server;
}

function client(timeout = 5_000): HttpClient {
  const made = new HttpClient({ timeout, concurrency: 4 });
  opened.push(made);
  return made;
}

const get = (url: string) => ({ method: "GET", url, headers: { accept: "application/json" }, body: null });
const post = (url: string) => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json" },
  body: TEXT,
});

async function answerTo(answer: Buffer | Buffer[]): Promise<RawResponse> {
  const server = await serve((socket) => {
    for (const part of [answer].flat()) socket.write(part);
  });
  return client().exchange(get(server.url), never);
}

/** Sends a request to a server that gives no valid answer, and returns the error. */
async function fault(answer: (socket: Socket) => void, timeout = 5_000): Promise<NoAnswer> {
  const server = await serve(answer);
  return client(timeout)
    .exchange(get(server.url), never)
    .then(
      ({ status }) => {
        throw new Error(`answered ${status}`);
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(NoAnswer);
        return error as NoAnswer;
      },
    );
}

test("requests of a sequence share a connection with no others", async () => {
  const sockets: Socket[] = [];
  const server = await serve((socket) => {
    sockets.push(socket);
    socket.write(httpAnswer(TEXT, { "content-type": "application/json" }));
  });
  const one = client();
  for (const sequence of ["a", undefined, "b", "a", "b"])
    await one.exchange(get(server.url), never, { sequence });
  const [a, , b] = sockets;
  expect(sockets.map((socket) => [socket === a, socket === b])).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [true, false],
    [false, true],
  ]);
});

describe("answers", () => {
  test("are read whole: status, headers in lower case, body", async () => {
    const { status, headers, body } = await answerTo(
      httpAnswer(TEXT, { "X-One": "1", "x-two": "a", "X-TWO": "b" }, "418 I'm a teapot"),
    );
    expect(status).toBe(418);
    expect(headers).toMatchObject({ "x-one": "1", "x-two": "a, b" });
    expect(body.toString("utf8")).toBe(TEXT);
  });

  test.each<[string, Buffer, string]>([
    ["gzip", gzipSync(TEXT), "gzip"],
    ["gzip by its old name", gzipSync(TEXT), "X-GZIP"],
    ["deflate", deflateSync(TEXT), "deflate"],
    ["deflate without its frame", deflateRawSync(TEXT), "deflate"],
    ["br", brotliCompressSync(TEXT), "br"],
    ["gzip of br", gzipSync(brotliCompressSync(TEXT)), "br, gzip"],
    ["identity", Buffer.from(TEXT), "identity"],
  ])("compressed with %s are unpacked", async (_, bytes, encoding) => {
    const { body } = await answerTo(httpAnswer(bytes, { "content-encoding": encoding }));
    expect(body.toString("utf8")).toBe(TEXT);
  });

  test("that are compressed and empty are read as empty", async () => {
    expect((await answerTo(httpAnswer("", { "content-encoding": "gzip" }))).body).toHaveLength(0);
  });

  test("keep their bytes if they are not compressed as their header says", async () => {
    const { body, notPackedWith } = await answerTo(httpAnswer(TEXT, { "content-encoding": "gzip" }));
    expect([body.toString(), notPackedWith]).toEqual([TEXT, "gzip"]);
  });

  test("in chunks are put together", async () => {
    const head = Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    const bytes = Buffer.from(TEXT);
    const chunks = [...bytes].map((byte) =>
      Buffer.from([...Buffer.from("1\r\n"), byte, ...Buffer.from("\r\n")]),
    );
    const { body } = await answerTo([head, ...chunks, Buffer.from("0\r\n\r\n")]);
    expect(body.toString("utf8")).toBe(TEXT);
  });

  test("without a length end when the connection ends", async () => {
    const server = await serve((socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${TEXT}`));
    const { body } = await client().exchange(get(server.url), never);
    expect(body.toString("utf8")).toBe(TEXT);
  });

  test("without a body are empty", async () => {
    const { status, body } = await answerTo(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"));
    expect([status, body.length]).toEqual([204, 0]);
  });

  test("that redirect are not followed", async () => {
    const { status, headers } = await answerTo(
      httpAnswer("", { location: "http://127.0.0.1:1/" }, "302 Found"),
    );
    expect([status, headers.location]).toEqual([302, "http://127.0.0.1:1/"]);
  });
});

describe("connections", () => {
  /** Sends `count` requests of a method one after the other, and returns how many connections they used. */
  async function connectionsUsed(method: "GET" | "POST", count: number): Promise<number> {
    const ports = new Set<number | undefined>();
    const server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on("end", () => response.end(TEXT));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const http = client();
    for (let sent = 0; sent < count; sent++)
      await http.exchange(method === "GET" ? get(url) : post(url), never);
    server.closeAllConnections();
    server.close();
    return ports.size;
  }

  test("are used again for reads", async () => {
    expect(await connectionsUsed("GET", 12)).toBeLessThan(12 / 2);
  });

  test("are closed after some requests, so that many requests are the second of their connection", async () => {
    const used = await connectionsOf(Array.from({ length: 16 }, () => "GET" as const));
    expect(new Set(used).size).toBeGreaterThan(1);
  });

  test("are new for creates until an open one has carried several answers", async () => {
    expect(await connectionsUsed("POST", 6)).toBe(6);
  });

  /**
   * Sends requests one after the other. Returns the connection of each, numbered from 0. `closed` says which
   * requests the server answers by closing the connection: the first is 1.
   */
  async function connectionsOf(
    methods: readonly ("GET" | "POST")[],
    closed: (call: number) => boolean = () => false,
  ): Promise<(number | undefined)[]> {
    const opened: unknown[] = [];
    const used: number[] = [];
    const server = createServer((request, response) => {
      if (!opened.includes(request.socket)) opened.push(request.socket);
      used.push(opened.indexOf(request.socket));
      request.resume().on("end", () => {
        if (closed(used.length)) request.socket.destroy();
        else response.end(TEXT);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const http = client();
    for (const method of methods) {
      await http.exchange(method === "GET" ? get(url) : post(url), never).catch(() => undefined);
      // A connection is free for the next call a moment after its answer.
      await new Promise(setImmediate);
    }
    server.closeAllConnections();
    server.close();
    return used;
  }

  test("are used again for creates once they have carried several answers", async () => {
    expect(await connectionsOf(["GET", "GET", "GET", "GET", "POST", "POST"])).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("are no longer trusted after one closed without an answer", async () => {
    const methods = ["GET", "GET", "GET", "GET", "GET", "POST", "POST"] as const;
    const [, , , , broken, first, second] = await connectionsOf(methods, (call) => call === 5);
    expect(first).not.toBe(broken);
    expect(second).not.toBe(first);
  });

  test("are used once after several closed without an answer", async () => {
    const methods = Array.from({ length: 8 }, () => "GET" as const);
    const [, , , , ...later] = await connectionsOf(methods, (call) => call === 3 || call === 4);
    expect(new Set(later).size).toBe(4);
  });

  test("that the service closes after each answer are opened again", async () => {
    const server = await serve((socket) => socket.end(httpAnswer(TEXT, { connection: "close" })));
    const http = client();
    for (let count = 0; count < 3; count++)
      expect((await http.exchange(get(server.url), never)).status).toBe(200);
    expect(server.connections()).toBe(3);
  });
});

describe("no answer is recorded", () => {
  test("if the connection was closed", async () => {
    const { kind, message } = await fault((socket) => socket.destroy());
    expect(kind).toBe("closed");
    expect(message).toContain("closed without an answer");
  });

  test("if the connection was closed within an answer", async () => {
    expect(
      (await fault((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"'))).kind,
    ).toBe("closed");
  });

  test("if the bytes are not HTTP", async () => {
    const { kind, message } = await fault((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(kind).toBe("not-http");
    expect(message).toContain("not HTTP");
  });

  test("if nothing came in time", async () => {
    const { kind, message } = await fault(() => undefined, 120);
    expect([kind, message]).toEqual(["timeout", "no answer within 120 ms"]);
  });

  test("if the body stopped coming", async () => {
    const { kind } = await fault(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"),
      120,
    );
    expect(kind).toBe("timeout");
  });

  test("if the body never ends, though it comes steadily", async () => {
    const timers: NodeJS.Timeout[] = [];
    const { kind } = await fault((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      timers.push(setInterval(() => socket.write("x"), 20));
    }, 200);
    for (const timer of timers) clearInterval(timer);
    expect(kind).toBe("timeout");
  });

  test.each<[string, Buffer, string, string]>([
    ["gzip", gzipSync(Buffer.alloc(40 * 1024 ** 2)), "gzip", "gzip: more than 8 MB when unpacked"],
    [
      "deflate",
      deflateSync(Buffer.alloc(40 * 1024 ** 2)),
      "deflate",
      "deflate: more than 8 MB when unpacked",
    ],
    ["brotli", brotliCompressSync(Buffer.alloc(40 * 1024 ** 2)), "br", "br: more than 8 MB when unpacked"],
    [
      "gzip within gzip",
      gzipSync(gzipSync(Buffer.alloc(400 * 1024 ** 2))),
      "gzip, gzip",
      "gzip: more than 8 MB when unpacked",
    ],
    ["many layers", gzipSync("{}"), "gzip, gzip, br, gzip", "the body is packed 4 times over"],
  ])("if the body is a bomb of %s", async (_, bytes, encoding, expected) => {
    const { kind, message } = await fault((socket) =>
      socket.write(httpAnswer(bytes, { "content-encoding": encoding })),
    );
    expect([kind, message]).toEqual(["too-large", expected]);
  });

  test("if the body is nested deeper than any documented one", async () => {
    const nested = (depth: number) =>
      `{"a":"[\\"[",${'"b":['.padEnd(depth + 3, "[")}${"]".repeat(depth - 1)}}`;
    expect(JSON.parse((await answerTo(httpAnswer(nested(500)))).body.toString())).toBeTypeOf("object");
    const { kind, message } = await fault((socket) => socket.write(httpAnswer(nested(501))));
    expect([kind, message]).toEqual(["too-large", "the body is nested more than 500 levels deep"]);
  });

  test("if many large bodies add up to more than is kept", async () => {
    const server = await serve((socket) => socket.write(httpAnswer(`[${"{},".repeat(1024 ** 2 - 1)}{}]`)));
    const own = client();
    await own.exchange(get(server.url), never);
    await expect(own.exchange(get(server.url), never)).rejects.toMatchObject({ kind: "too-large" });
  });

  test("if the body is larger than the limit", async () => {
    const { kind, message } = await fault((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = Buffer.alloc(1024 * 1024, "x");
      for (let count = 0; count < 34; count++) {
        socket.write("100000\r\n");
        socket.write(chunk);
        socket.write("\r\n");
      }
      socket.write("0\r\n\r\n");
    }, 20_000);
    expect(kind).toBe("too-large");
    expect(message).toContain("larger than");
  });

  test("if nobody listens", async () => {
    const server = await rawServer(() => undefined);
    await server.close();
    await expect(client().exchange(get(server.url), never)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("if the run was interrupted, before or during the call", async () => {
    const interrupted = new AbortController();
    const server = await serve(() => interrupted.abort());
    await expect(client().exchange(get(server.url), interrupted.signal)).rejects.toMatchObject({
      kind: "aborted",
      message: "the run was interrupted",
    });
    await expect(client().exchange(get(server.url), interrupted.signal)).rejects.toMatchObject({
      kind: "aborted",
    });
  });
});
