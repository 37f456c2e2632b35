/** Receives webhook deliveries on a port of the user's choice. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery, Receiver } from "../target.ts";

/** Bodies are read to this many bytes. */
const LARGEST_BODY = 1024 * 1024;

/**
 * Listens on `port` (0: any free one) for what arrives at `url`. Throws when the port can't be had. With a free port
 * the port of `url` is replaced by it, for services on the same machine.
 */
export async function startReceiver(
  url: string,
  port: number,
): Promise<Receiver & { close(): Promise<void> }> {
  const waiting: ((delivery: Delivery) => void)[] = [];
  const arrived: Delivery[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      if (body.length < LARGEST_BODY) body += chunk;
    });
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value ?? "")]),
      );
      const delivery = { method: request.method ?? "", headers, body };
      response.writeHead(204).end();
      const next = waiting.shift();
      if (next) next(delivery);
      else arrived.push(delivery);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, resolve);
  });
  server.unref();
  const shown = new URL(url);
  if (port === 0) shown.port = String((server.address() as AddressInfo).port);
  return {
    url: shown.href,
    first: (patience) => {
      const known = arrived.shift();
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => {
        const take = (delivery: Delivery) => {
          clearTimeout(timer);
          resolve(delivery);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(take), 1);
          resolve(undefined);
        }, patience);
        waiting.push(take);
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
