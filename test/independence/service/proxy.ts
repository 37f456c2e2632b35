/** A reverse proxy before the service: nginx if it is installed (test/install-nginx.sh), else one with Node. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, createServer as createPort } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip } from "node:zlib";

export interface ReverseProxy {
  baseUrl: string;
  close(): Promise<void>;
}

const NGINX = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].find((path) => existsSync(path));

export function startProxy(upstream: number): Promise<ReverseProxy> {
  return NGINX === undefined ? startNode(upstream) : startNginx(NGINX, upstream);
}

/**
 * Settings not given here are Debian's defaults: bodies of 1 MB, heads of 8 kB, connections of 1,000
 * requests.
 */
function nginxSettings(folder: string, port: number, upstream: number): string {
  return `
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server_tokens off;
  gzip on;
  gzip_min_length 256;
  gzip_proxied any;
  gzip_types application/json;
  upstream service { server 127.0.0.1:${upstream}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      add_header X-Edge-Request-Id $request_id always;
    }
  }
}
`;
}

async function startNginx(program: string, upstream: number): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  writeFileSync(file, nginxSettings(folder, port, upstream));
  const child = spawn(program, ["-p", folder, "-c", file, "-g", "daemon off;"], { stdio: "ignore" });
  const baseUrl = `http://127.0.0.1:${port}`;
  const close = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(baseUrl, child);
  } catch (error) {
    await close();
    throw error;
  }
  return { baseUrl, close };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}

async function freePort(): Promise<number> {
  const server = createPort();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(baseUrl: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    if (
      await fetch(baseUrl).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("nginx did not start");
}

/**
 * Starts a proxy written with Node, for machines without nginx. It keeps connections open, compresses answers,
 * adds a request id, and answers 502 if the service is gone.
 */
async function startNode(upstream: number): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let number = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { connection: _, ...kept } = headers;
    const forward = request(
      { agent, host: "127.0.0.1", port: upstream, method, path: url, headers: kept },
      (answer) => {
        const { "content-length": length, connection: _gone, ...rest } = answer.headers;
        number += 1;
        const named = Object.fromEntries(Object.entries(rest).map(([name, value]) => [capital(name), value]));
        const zipped = method !== "HEAD" && /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
        outgoing.writeHead(answer.statusCode ?? 502, {
          ...named,
          "X-Edge-Request-Id": String(number),
          ...(zipped ? { "Content-Encoding": "gzip", Vary: "Accept-Encoding" } : {}),
          ...(!zipped && length !== undefined ? { "Content-Length": length } : {}),
        });
        if (zipped) answer.pipe(createGzip()).pipe(outgoing);
        else answer.pipe(outgoing);
      },
    );
    forward.on("error", () => {
      if (!outgoing.headersSent) outgoing.writeHead(502, { "Content-Type": "text/html" });
      outgoing.end("<html><body><h1>502 Bad Gateway</h1></body></html>");
    });
    incoming.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const capital = (name: string) => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
