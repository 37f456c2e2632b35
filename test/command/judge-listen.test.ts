/** `judge --listen`: a proxy that records all messages and changes none. */

import { request as ask, createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openConnections } from "../../client/sending/network.ts";
import { listenOptions } from "../../command/judging/listen.ts";
import { RecordingProxy } from "../../command/judging/proxy.ts";
import type { ForeignExchange } from "../../history/foreign/exchange.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { withReference, withServer } from "./targets.ts";

interface Proxied {
  address: string;
  recorded: ForeignExchange[];
  failures: string[];
}

/** Starts a proxy before the service `target`, passes it to `use`, and ends it afterwards. */
async function proxied<T>(target: string, use: (proxy: Proxied) => Promise<T>, largest = 10_000): Promise<T> {
  const recorded: ForeignExchange[] = [];
  const failures: string[] = [];
  const connections = openConnections({ timeout: 10_000, concurrency: 16 });
  const proxy = new RecordingProxy({
    port: 0,
    target,
    connections,
    largest,
    recorded: (exchange) => void recorded.push(exchange),
    failed: (reason) => void failures.push(reason),
  });
  try {
    return await use({ address: await proxy.listen(), recorded, failures });
  } finally {
    await proxy.close(100);
    await connections.close();
  }
}

interface Seen {
  request: { method: string | undefined; url: string | undefined; headers: string[]; body: string };
  raw: string[];
}

/** Sends a request, and returns the raw headers and bytes of the answer. */
function send(url: string, method: string, headers: Record<string, string>, body: string) {
  return new Promise<{
    status: number | undefined;
    reason: string | undefined;
    raw: string[];
    bytes: Buffer;
  }>((resolve, reject) => {
    const sent = ask(url, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode,
          reason: answer.statusMessage,
          raw: answer.rawHeaders,
          bytes: Buffer.concat(parts),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const own = (raw: string[]) =>
  raw.filter(
    (_, index) => !/^(connection|keep-alive|host|transfer-encoding)$/i.test(raw[index - (index % 2)] ?? ""),
  );

describe("a message", () => {
  const packed = gzipSync(JSON.stringify({ text: "é" }));

  test("goes through unchanged, and is recorded unpacked", () => {
    const seen: Seen["request"][] = [];
    return withServer(
      (request, response) => {
        const parts: Buffer[] = [];
        request.on("data", (part: Buffer) => parts.push(part));
        request.on("end", () => {
          const { method, url, rawHeaders } = request;
          seen.push({ method, url, headers: own(rawHeaders), body: Buffer.concat(parts).toString() });
          response.sendDate = false;
          response.writeHead(
            202,
            "Taken",
            [
              ["X-Two", "1"],
              ["x-two", "2"],
              ["Content-Encoding", "gzip"],
              ["Content-Length", String(packed.length)],
            ].flat(),
          );
          response.end(packed);
        });
      },
      async (target) => {
        const headers = { "X-Name": "Value", "content-type": "application/json", "content-length": "7" };
        const direct = await send(`${target}/a%20b?x=%41&y`, "PATCH", headers, '{"a":1}');
        await proxied(`${target}`, async ({ address, recorded }) => {
          const through = await send(`${address}/a%20b?x=%41&y`, "PATCH", headers, '{"a":1}');
          expect({ ...through, raw: own(through.raw) }).toEqual({ ...direct, raw: own(direct.raw) });
          expect(seen[1]).toEqual(seen[0]);
          await expect.poll(() => recorded).toHaveLength(1);
          expect(recorded[0]).toMatchObject({
            request: {
              method: "PATCH",
              url: `${target}/a%20b?x=%41&y`,
              body: { text: '{"a":1}', cut: false },
            },
            response: { status: 202, body: { text: '{"text":"é"}', cut: false } },
          });
        });
      },
    );
  });

  test("that is large is streamed, and is no evidence", () =>
    withServer(
      (request, response) => request.pipe(response),
      (target) =>
        proxied(target, async ({ address, recorded }) => {
          const large = "x".repeat(300_000);
          const { bytes } = await send(address, "POST", {}, large);
          expect(bytes.toString()).toBe(large);
          await expect.poll(() => recorded).toHaveLength(1);
          expect(recorded[0]?.response?.body).toEqual({ text: "", cut: true });
        }),
    ));
});

describe("the proxy keeps running if", () => {
  test("the service closes the connection, before or within its answer", () => {
    const answers = [
      (request: IncomingMessage) => request.socket.destroy(),
      (request: IncomingMessage) => request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"),
    ];
    return withServer(
      (request, response) => {
        const answer = answers.shift();
        if (answer) answer(request);
        else response.end("fine");
      },
      (target) =>
        proxied(target, async ({ address, recorded, failures }) => {
          await expect(send(address, "GET", {}, "")).rejects.toThrow();
          await expect(send(address, "GET", {}, "")).rejects.toThrow();
          expect((await send(address, "GET", {}, "")).bytes.toString()).toBe("fine");
          await expect.poll(() => recorded).toHaveLength(3);
          expect(recorded.map(({ response }) => response?.status)).toEqual([undefined, 200, 200]);
          expect(recorded[1]?.response?.body.cut).toBe(true);
          expect(failures).toHaveLength(2);
        }),
    );
  });

  test("the client goes away, or speaks no HTTP", () =>
    withServer(
      (request, response) => {
        if (request.url !== "/slow") response.end("fine");
      },
      (target) =>
        proxied(target, async ({ address, recorded, failures }) => {
          const { port } = new URL(address);
          const left = ask(`${address}/slow`);
          left.on("error", () => undefined);
          left.end();
          await new Promise((resolve) => setTimeout(resolve, 100));
          left.destroy();
          await expect.poll(() => recorded).toHaveLength(1);
          await new Promise<void>((resolve) => {
            const noise = connect(Number(port), "127.0.0.1", () => noise.write("\u0000\u0001\r\n\r\n"));
            noise.on("error", () => undefined);
            noise.on("close", () => resolve());
          });
          expect((await send(address, "GET", {}, "")).bytes.toString()).toBe("fine");
          expect(failures).toEqual([]);
        }),
    ));
});

test("judge --listen prints violations as they happen, and writes the reports when it is stopped", () =>
  withReference({ defects: ["count-one-more@banks"] }, (service) =>
    inFolder(async (cwd) => {
      let started = false;
      let stopped = false;
      const headers = { authorization: `Bearer ${service.token}`, "service-space-id": service.space };
      const { code, stdout, stderr } = await command(
        ["judge", "--listen", "0", "--to", service.baseUrl, "--reporter", "plain"],
        {
          cwd,
          onComplaint: (text) => {
            const [, address] = /Listening on (\S+)/.exec(text) ?? [];
            if (started || address === undefined) return;
            started = true;
            for (const path of ["/banks?country=CM", "/countries"])
              void fetch(`${address}${path}`, { headers }).then((answer) => answer.text());
          },
          onOutput: (text, kill) => {
            if (stopped || !text.includes("violated: LIST-COUNT at GET /banks")) return;
            stopped = true;
            kill("SIGTERM");
          },
        },
      );
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^Listening on \S+ for \S+; .*\n$/)]);
      const { judged, verdict, target } = reportIn(cwd, "conformance-judged");
      expect([judged?.of, verdict, target.baseUrl]).toEqual(["others", "nonconformant", service.baseUrl]);
      expect(judged?.exchanges).toBe(2);
      expect(stdout).toContain("requirements exercised");
      expect(stdout + JSON.stringify(judged)).not.toContain(service.token);
    }),
  ));

test.each([
  ["https://user:secret-word@pay.example.com", "user name or password"],
  ["user:secret-word@pay.example.com", "must be an address"],
  ["https://pay.example.com/?a=secret-word", "without a query"],
  ["https://pay.example.com/#secret-word", "without a query"],
])("--to %s is wrong use, and is not shown", (to, message) => {
  expect(() => listenOptions({ listen: "0", to })).toThrow(message);
  expect(() => listenOptions({ listen: "0", to })).not.toThrow("secret-word");
});

test("a client that takes the address for that of an HTTP proxy is told so", () =>
  withServer(
    (_, response) => response.end("{}"),
    (target) =>
      proxied(target, async ({ address, recorded, failures }) => {
        const { port } = new URL(address);
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          const sent = ask({ host: "127.0.0.1", port, path: `${target}/banks` }, resolve);
          sent.on("error", reject);
          sent.end();
        });
        answer.resume();
        expect([answer.statusCode, recorded]).toEqual([400, []]);
        expect(failures).toEqual([expect.stringContaining("is no HTTP proxy")]);
      }),
  ));

test("a taken port is wrong use, and so are a missing or malformed --to and a port above 65535", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  await inFolder(async (cwd) => {
    const judge = async (...flags: string[]) => (await command(["judge", ...flags], { cwd })).stderr;
    expect(await judge("--listen", port, "--to", "http://127.0.0.1:9")).toContain(
      `cannot listen on port ${port}: EADDRINUSE`,
    );
    expect(await judge("--listen", "0")).toContain("--listen and --to go together");
    expect(await judge("--listen", "0", "--to", "pay.example.com")).toContain("--to must be an address");
    expect(await judge("--listen", "70000", "--to", "http://127.0.0.1:9")).toContain("--listen must be");
  });
  await new Promise((resolve) => taken.close(resolve));
});
