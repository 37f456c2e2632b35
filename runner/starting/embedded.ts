import { once } from "node:events";
import { createServer } from "node:net";

export interface EmbeddedTarget {
  baseUrl: string;
  token: string;
  space: string;
  secondSpace: string;
  secondToken: string;
  fixtures: Readonly<Record<string, string>>;
  callbackUrl: string;
  callbackPort: number;
}

interface EmbeddedService extends EmbeddedTarget {
  close(): Promise<void>;
}

/** Starts the reference service on a free port, with a port for deliveries. */
export async function startEmbedded(): Promise<EmbeddedService> {
  const { startReference } = await import("../../reference/start.ts");
  const [service, callbackPort] = await Promise.all([startReference(), freePort()]);
  return { ...service, callbackPort, callbackUrl: `http://127.0.0.1:${callbackPort}` };
}

/** Returns a port of 127.0.0.1 that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await once(server.close(), "close");
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}
