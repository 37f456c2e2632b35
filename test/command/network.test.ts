/**
 * Settings for company networks: a proxy, a private certificate authority, client certificates, extra
 * headers.
 */

import { readFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RunningService } from "../../reference/index.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const CERTIFICATES = fileURLToPath(new URL("../client/sending/certificates/", import.meta.url));
const certificate = (name: string) => join(CERTIFICATES, name);
const pem = (name: string) => readFileSync(certificate(name));
const SERVER = { cert: pem("server.pem"), key: pem("server-key.pem") };
const FEW = ["--only", "GET /banks", "--read-only", "--seed", "1"];

/** Returns a listener that passes each request on to the server at `target`, and its answer back. */
function passOn(target: string): RequestListener {
  return (incoming: IncomingMessage, answer: ServerResponse) => {
    const url = new URL(incoming.url ?? "/", target);
    const { method = "GET", headers } = incoming;
    const outgoing = request(url, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  };
}

async function listening<T>(server: Server, use: (port: number) => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function withTls<T>(
  service: RunningService,
  options: ServerOptions,
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = createTlsServer({ ...SERVER, ...options }, passOn(service.baseUrl));
  return listening(server as unknown as Server, (port) => use(`https://127.0.0.1:${port}`));
}

async function runIn(folder: string, args: string[], env: Record<string, string> = {}) {
  const ended = await command(["run", ...FEW, ...args], { cwd: folder, env });
  return { ...ended, report: reportIn(folder) };
}

test("a service with a private certificate authority is reached with --ca only", () =>
  withReference({}, (service) =>
    withTls(service, {}, (baseUrl) =>
      inFolder(async (folder) => {
        const flags = flagsFor({ ...service, baseUrl });
        const refused = await runIn(folder, flags);
        expect(refused.code).toBe(3);
        expect(refused.report.problem).toMatch(/certificate/i);
        const trusted = await runIn(folder, [...flags, "--ca", certificate("authority.pem")]);
        expect([trusted.code, trusted.report.summary.fail]).toEqual([0, 0]);
        expect(trusted.report.summary.pass).toBeGreaterThan(20);
        const careless = await runIn(folder, [...flags, "--insecure"]);
        expect([careless.code, careless.report.run.options.insecure]).toEqual([0, true]);
        expect(careless.stdout).toContain("The certificate of the target was not checked (--insecure).");
        for (const name of ["report.md", "report.xml", "report.html"]) {
          const said = readFileSync(join(folder, "conformance-report", name), "utf8");
          expect(said).toMatch(/certificate of the target was not checked/);
        }
      }),
    ),
  ));

test("a service that asks for a certificate gets the one of --client-cert", () =>
  withReference({}, (service) =>
    withTls(service, { requestCert: true, rejectUnauthorized: true, ca: pem("authority.pem") }, (baseUrl) =>
      inFolder(async (folder) => {
        const flags = [...flagsFor({ ...service, baseUrl }), "--ca", certificate("authority.pem")];
        expect((await runIn(folder, flags)).code).toBe(3);
        const own = [
          "--client-cert",
          certificate("client.pem"),
          "--client-key",
          certificate("client-key.pem"),
        ];
        const known = await runIn(folder, [...flags, ...own]);
        expect([known.code, known.report.summary.fail]).toEqual([0, 0]);
      }),
    ),
  ));

test("proxies of the environment are used, for http and for https, and NO_PROXY is heeded", () =>
  withReference({}, (service) =>
    withTls(service, {}, async (secure) => {
      const seen: string[] = [];
      const proxy = createServer((incoming, answer) => {
        seen.push(`${incoming.method} ${incoming.url} ${incoming.headers["proxy-authorization"]}`);
        passOn(service.baseUrl)(incoming, answer);
      });
      proxy.on("connect", (incoming, socket, head) => {
        seen.push(`CONNECT ${incoming.url}`);
        const { hostname, port } = new URL(`http://${incoming.url}`);
        const through = connect(Number(port), hostname, () => {
          socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
          through.write(head);
          through.pipe(socket);
          socket.pipe(through);
        });
        through.on("error", () => socket.destroy());
        socket.on("error", () => through.destroy());
      });
      await listening(proxy, (port) =>
        inFolder(async (folder) => {
          const address = `http://agent:s3cret-pass-word@127.0.0.1:${port}`;
          const env = { HTTP_PROXY: address, HTTPS_PROXY: address };
          const plain = await runIn(folder, flagsFor(service), env);
          expect([plain.code, plain.report.summary.fail]).toEqual([0, 0]);
          expect(seen.length).toBe(plain.report.run.requests);
          expect(seen[0]).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/\S+ Basic /);
          expect(JSON.stringify(plain.report)).not.toContain("s3cret-pass-word");

          seen.length = 0;
          const flags = [...flagsFor({ ...service, baseUrl: secure }), "--ca", certificate("authority.pem")];
          const tunnelled = await runIn(folder, flags, env);
          expect([tunnelled.code, tunnelled.report.summary.fail]).toEqual([0, 0]);
          expect(seen[0]).toMatch(/^CONNECT 127\.0\.0\.1:\d+$/);

          seen.length = 0;
          await runIn(folder, flagsFor(service), { ...env, NO_PROXY: "127.0.0.1" });
          expect(seen).toEqual([]);
        }),
      );
    }),
  ));

describe("a proxy that fails", () => {
  const problemOf = async (folder: string, baseUrl: string, env: Record<string, string>) => {
    const target = { baseUrl, token: "tokentoken", space: "spc-1" };
    const { code, report } = await runIn(folder, flagsFor(target), env);
    expect(code).toBe(3);
    expect(JSON.stringify(report)).not.toContain("s3cret-pass-word");
    return report.problem ?? "";
  };

  test.each([
    ["http://service.invalid", "HTTP_PROXY"],
    ["https://service.invalid", "https_proxy"],
  ])("because nothing listens is named, for %s", (baseUrl, variable) =>
    inFolder(async (folder) => {
      const env = { [variable]: "http://agent:s3cret-pass-word@127.0.0.1:1" };
      const problem = await problemOf(folder, baseUrl, env);
      expect(problem).toContain(
        `no answer from ${baseUrl} through the proxy http://127.0.0.1:1 (${variable})`,
      );
      expect(problem).toContain(`The proxy does not listen: is ${variable} right?`);
    }),
  );

  test.each([
    [407, /The proxy asks for a user name and password: https?_proxy=/i],
    [403, /The proxy answered 403 and opens no tunnel|403/],
  ])("because it answers %i is named", async (status, sentence) => {
    const proxy = createServer((_, answer) => answer.writeHead(status).end());
    proxy.on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    await listening(proxy, (port) =>
      inFolder(async (folder) => {
        const address = `http://127.0.0.1:${port}`;
        const env = { HTTP_PROXY: address, HTTPS_PROXY: address };
        const tunnelled = await problemOf(folder, "https://service.invalid", env);
        expect(tunnelled).toContain(`through the proxy ${address} (HTTPS_PROXY)`);
        expect(tunnelled).toMatch(sentence);
        if (status === 407) expect(await problemOf(folder, "http://service.invalid", env)).toMatch(sentence);
      }),
    );
  });

  test.each([
    ["is no address", "s3cret-pass-word", "HTTP_PROXY is not the address of a proxy"],
    ["has a password that can't be decoded", "http://me:s3cret%zz@127.0.0.1:1", "HTTP_PROXY has a % in"],
  ])("because it %s is named before anything is sent", (_, address, sentence) =>
    inFolder(async (cwd) => {
      const target = flagsFor({ baseUrl: "http://service.invalid", token: "tokentoken", space: "spc-1" });
      const { code, stderr } = await command(["run", ...target], { cwd, env: { HTTP_PROXY: address } });
      expect(code).toBe(2);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain("s3cret");
    }),
  );
});

test("a header for a gateway is sent with every request, and no report shows its value", () =>
  withReference({}, async (service) => {
    const lacking: string[] = [];
    const gateway = createServer((incoming, answer) => {
      if (incoming.headers["x-gateway-key"] !== "open-sesame-1234") {
        lacking.push(String(incoming.url));
        answer.writeHead(403).end();
      } else passOn(service.baseUrl)(incoming, answer);
    });
    await listening(gateway, (port) =>
      inFolder(async (folder) => {
        const flags = flagsFor({ ...service, baseUrl: `http://127.0.0.1:${port}` });
        const { code, report } = await runIn(folder, [
          ...flags,
          "--header",
          "X-Gateway-Key=open-sesame-1234",
        ]);
        expect([code, report.summary.fail, lacking]).toEqual([0, 0, []]);
        expect(JSON.stringify(report)).not.toContain("open-sesame");
      }),
    );
  }));

test("every request carries a trace of its own", () =>
  withReference({}, async (service) => {
    const traces: unknown[] = [];
    const gateway = createServer((incoming, answer) => {
      traces.push(incoming.headers.traceparent);
      passOn(service.baseUrl)(incoming, answer);
    });
    await listening(gateway, (port) =>
      inFolder(async (folder) => {
        await runIn(folder, flagsFor({ ...service, baseUrl: `http://127.0.0.1:${port}` }));
        expect(traces.length).toBeGreaterThan(20);
        expect(new Set(traces).size).toBe(traces.length);
        for (const trace of traces) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      }),
    );
  }));

test.each([
  [["--client-cert", certificate("client.pem")], "go together"],
  [["--ca", "nowhere.pem"], "cannot read"],
  [["--ca", certificate("client-key.pem")], "holds no certificate in PEM"],
  [["--header", "Authorization=x"], "the suite sends its own"],
  [["--header", "nothing"], "must be NAME=VALUE"],
])("%j is wrong use, and nothing is sent", (flags, message) =>
  inFolder(async (folder) => {
    const { code, stderr } = await command(["run", ...flags], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  }),
);
