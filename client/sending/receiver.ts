import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery, Mailbox, Receiver } from "../target.ts";

const LARGEST_BODY = 1024 * 1024;
const MOST_KEPT = 200;
const BETWEEN_LOOKS = 20;

/**
 * `url` gets the free port if `port` is 0. Each mailbox has a secret address, because webhooks of earlier
 * runs still deliver to others. @throws if the port is taken
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
      if (body.length < LARGEST_BODY) body += chunk;
    });
    request.on("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const box = pathname
        .split("/")
        .map((part) => boxes.get(part))
        .find((found) => found !== undefined);
      response.writeHead(box ? 204 : 404).end();
      if (box && isDelivery(request, body) && box.length < MOST_KEPT) box.push(deliveryOf(request, body));
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
      return { url: address.href, arrived, wait: (patience, isDone) => look(arrived, patience, isDone) };
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
  patience: number,
  isDone: Parameters<Mailbox["wait"]>[1] = ({ length }) => length > 0,
): Promise<void> {
  const deadline = performance.now() + patience;
  while (!isDone(arrived) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
}
