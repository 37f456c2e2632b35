/** Starts Prism, a mock server and validating proxy that knows only the OpenAPI document. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageRoot } from "../../runner/package-root.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const STARTS_WITHIN = 60_000;

export interface Prism {
  baseUrl: string;
  close(): Promise<void>;
}

/** Starts a mock of spec/openapi.yaml, which rejects invalid requests. */
export function startMock(): Promise<Prism> {
  return startPrism("mock");
}

/**
 * Starts a proxy to `upstream`. The header `sl-violations` of each answer names violations of
 * spec/openapi.yaml.
 */
export function startProxy(upstream: string): Promise<Prism> {
  return startPrism("proxy", upstream);
}

/**
 * Writes the document with another JSON Schema dialect: Prism validates bodies only if the dialect is
 * 2020-12.
 */
function writeDocument(folder: string): string {
  const text = readFileSync(join(packageRoot(), "spec/openapi.yaml"), "utf8");
  const adapted = text.replace(/^jsonSchemaDialect: .*$/m, `jsonSchemaDialect: ${DIALECT}`);
  const file = join(folder, "openapi.yaml");
  writeFileSync(file, adapted);
  return file;
}

async function startPrism(mode: string, ...options: string[]): Promise<Prism> {
  const manifest = createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "prism-"));
  const args = [mode, writeDocument(folder), ...options, "--port", `${port}`, "--verboseLevel", "fatal"];
  const child = spawn(process.execPath, [join(dirname(manifest), "dist/index.js"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  const close = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true });
  };
  try {
    await listening(port, () => child.exitCode !== null);
  } catch (error) {
    await close();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${port}`, close };
}

async function listening(port: number, ended: () => boolean): Promise<void> {
  for (let waited = 0; waited < STARTS_WITHIN; waited += 100) {
    if (ended()) break;
    const socket = connect(port, "127.0.0.1");
    const open = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Prism does not listen");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}
