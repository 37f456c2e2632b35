import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery, Mailbox, Receiver } from "../target.ts";

const LARGEST_BODY_BYTES = 1024 * 1024;
const MOST_DELIVERIES = 200;
const BETWEEN_LOOKS_MS = 20;

/**
 * Starts the server that receives deliveries. With port 0, `url` gets a free port. Each mailbox has a secret
 * address, because webhooks of earlier runs still deliver to theirs. @throws if the port is taken
 */
export async function startReceiver(
  url: string,
  port: number,
): Promise<Receiver & { close(): Promise<void> }> {
  const boxes = new Map<string, Delivery[]>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      if (body.length < LARGEST_BODY_BYTES) body += chunk;
    });
    request.on("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const box = pathname
        .split("/")
        .map((part) => boxes.get(part))
        .find((found) => found !== undefined);
      response.writeHead(box ? 204 : 404).end();
      if (box && isDelivery(request, body) && box.length < MOST_DELIVERIES)
        box.push(deliveryOf(request, body));
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
    mailbox: () => {
      const mark = randomBytes(12).toString("hex");
      const arrived: Delivery[] = [];
      boxes.set(mark, arrived);
      const address = new URL(shown);
      address.pathname = `${address.pathname.replace(/\/$/, "")}/${mark}`;
      return { url: address.href, arrived, wait: (timeoutMs, isDone) => look(arrived, timeoutMs, isDone) };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A request without a body, or a GET, HEAD or OPTIONS, only tests the address. */
function isDelivery({ method }: IncomingMessage, body: string): boolean {
  return body !== "" && !["GET", "HEAD", "OPTIONS"].includes(method ?? "GET");
}

function deliveryOf({ headers, method = "" }: IncomingMessage, body: string): Delivery {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]);
  return { method, headers: Object.fromEntries(texts), body };
}

async function look(
  arrived: Delivery[],
  timeoutMs: number,
  isDone: Parameters<Mailbox["wait"]>[1] = ({ length }) => length > 0,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isDone(arrived) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
}
