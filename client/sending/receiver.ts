import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { bodyOf } from "../../history/body.ts";
import type { Delivery, Pairs } from "../../history/entry.ts";
import { mailboxName } from "../../history/mailboxes.ts";
import type { Receiver } from "../target.ts";

const LARGEST_BODY_BYTES = 512 * 1024;
/** Depth full causes more than 200 deliveries to one address. */
const MOST_DELIVERIES = 400;
const BETWEEN_LOOKS_MS = 20;

export interface ReceiverOptions {
  url: string;
  port: number;
  runTag: string;
  received(delivery: Omit<Delivery, "at">): void;
}

/**
 * Addresses have a random part, because webhooks of earlier runs may still deliver.
 * @throws Error if the port is taken
 */
export async function startReceiver({
  url,
  port,
  runTag,
  received,
}: ReceiverOptions): Promise<Receiver & { close(): Promise<void> }> {
  const boxes = new Map<string, { secret: string | undefined; count: number }>();
  let count = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      if (body.length < LARGEST_BODY_BYTES) body += chunk;
    });
    request.on("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const mailbox = pathname.split("/").find((part) => boxes.has(part)) ?? "";
      const box = boxes.get(mailbox);
      response.writeHead(box ? 204 : 404).end();
      if (!box || !isDelivery(request, body) || box.count >= MOST_DELIVERIES) return;
      box.count++;
      count++;
      received({ mailbox, ...deliveryOf(request, body, box.secret) });
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
    address(secret) {
      const mailbox = mailboxName(runTag, lettersOf(randomBytes(12)));
      boxes.set(mailbox, { secret, count: 0 });
      const address = new URL(shown);
      address.pathname = `${address.pathname.replace(/\/$/, "")}/${mailbox}`;
      return address.href;
    },
    async wait(timeoutMs, isEnough) {
      const deadline = performance.now() + timeoutMs;
      let seen = -1;
      while (performance.now() < deadline) {
        if (seen !== count && isEnough()) return;
        seen = count;
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Writes bytes as letters, because redaction may mistake digits for a phone number. */
function lettersOf(bytes: Buffer): string {
  return [...bytes.toString("hex")].map((digit) => "abcdefghijklmnop"[Number.parseInt(digit, 16)]).join("");
}

/** False for GET, HEAD, OPTIONS and empty bodies, by which a service may test an address. */
function isDelivery({ method }: IncomingMessage, body: string): boolean {
  return body !== "" && !["GET", "HEAD", "OPTIONS"].includes(method ?? "GET");
}

function deliveryOf(
  { headers: received, method = "" }: IncomingMessage,
  body: string,
  secret: string | undefined,
): Omit<Delivery, "at" | "mailbox"> {
  const headers = Object.entries(received).map(([name, value]): Pairs[number] => [name, String(value ?? "")]);
  const signedIn = secret === undefined ? null : signedBy(headers, body, secret);
  return { method, headers, body: bodyOf(body), signedIn };
}

function signedBy(headers: Pairs, body: string, secret: string): string | null {
  const digests = (["hex", "base64", "base64url"] as const).map((form) =>
    createHmac("sha256", secret).update(body).digest(form).toLowerCase(),
  );
  const isDigest = (value: string) => digests.some((digest) => value.toLowerCase().includes(digest));
  return headers.find(([, value]) => isDigest(value))?.[0] ?? null;
}
