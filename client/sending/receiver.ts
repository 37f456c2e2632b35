import { isUtf8 } from "node:buffer";
import { createHmac, type Hmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../../history/body.ts";
import type { Body, Delivery, Pairs } from "../../history/entry.ts";
import { mailboxName } from "../../history/values/mailboxes.ts";
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
 * Listens for deliveries. Addresses have a random part, because webhooks of earlier runs may still deliver.
 * @throws Error if the port is taken
 */
export async function startReceiver({
  url,
  port,
  runTag,
  received,
}: ReceiverOptions): Promise<Receiver & { close(): Promise<void> }> {
  const boxes = new Map<string, Mailbox>();
  let count = 0;
  const server = createServer((request, response) => {
    const mailbox = (request.url ?? "").split(/[/?#]/).find((part) => boxes.has(part)) ?? "";
    const box = boxes.get(mailbox);
    const arriving = new Arriving(box?.secret);
    request.on("data", (chunk: Buffer) => arriving.add(chunk));
    request.on("end", () => {
      response.writeHead(box ? 204 : 404).end();
      if (!box || !isDelivery(request, arriving) || box.count >= MOST_DELIVERIES) return;
      box.count++;
      count++;
      received({ mailbox, ...deliveryOf(request, arriving) });
    });
  });
  const shown = new URL(url);
  const listening = await listen(server, port);
  if (port === 0) shown.port = String(listening);
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
        await sleep(BETWEEN_LOOKS_MS);
      }
    },
    close: () => closeServer(server),
  };
}

interface Mailbox {
  secret: string | undefined;
  count: number;
}

/** Returns the port. The server does not keep the process alive. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port);
  await once(server, "listening");
  server.unref();
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
}

/** Writes bytes as letters, because redaction may mistake digits for a phone number. */
function lettersOf(bytes: Buffer): string {
  return [...bytes.toString("hex")].map((digit) => "abcdefghijklmnop"[Number.parseInt(digit, 16)]).join("");
}

/** Collects a body and computes its HMAC, also over the bytes that are too many to keep. */
class Arriving {
  readonly #chunks: Buffer[] = [];
  readonly #hmac: Hmac | undefined;
  #kept = 0;
  size = 0;

  constructor(secret: string | undefined) {
    this.#hmac = secret === undefined ? undefined : createHmac("sha256", secret);
  }

  add(chunk: Buffer): void {
    this.#hmac?.update(chunk);
    this.size += chunk.length;
    const part = chunk.subarray(0, LARGEST_BODY_BYTES - this.#kept);
    this.#kept += part.length;
    if (part.length > 0) this.#chunks.push(part);
  }

  body(): Body {
    const bytes = Buffer.concat(this.#chunks);
    const cut = this.size > bytes.length;
    // The end of a cut body may be part of a character.
    const unreadable = cut || isUtf8(bytes) ? undefined : "not-utf-8";
    return bodyOf(bytes.toString("utf8"), { cut, unreadable });
  }

  signedIn(headers: Pairs): string | null {
    const digest = this.#hmac?.digest();
    if (!digest) return null;
    const forms = (["hex", "base64", "base64url"] as const).map((form) =>
      digest.toString(form).toLowerCase(),
    );
    const isDigest = (value: string) => forms.some((form) => value.toLowerCase().includes(form));
    return headers.find(([, value]) => isDigest(value))?.[0] ?? null;
  }
}

/** False for GET, HEAD, OPTIONS and empty bodies, by which a service may test an address. */
function isDelivery({ method }: IncomingMessage, { size }: Arriving): boolean {
  return size > 0 && !["GET", "HEAD", "OPTIONS"].includes(method ?? "GET");
}

function deliveryOf(
  { headers: received, method = "" }: IncomingMessage,
  arriving: Arriving,
): Omit<Delivery, "at" | "mailbox"> {
  const headers = Object.entries(received).map(([name, value]): Pairs[number] => [name, String(value ?? "")]);
  return { method, headers, body: arriving.body(), signedIn: arriving.signedIn(headers) };
}
