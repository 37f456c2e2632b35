import { createHmac } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { Service } from "./hooks.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Delivery, ServiceEvent } from "./messages.ts";
import type { StoredRecord } from "./store.ts";

/** All events, for which `events: null` stands. */
export const EVENT_NAMES: readonly string[] = [
  "financial_account.created",
  "payment_code.updated",
  "payment_code.cancelled",
  "payout.updated",
  "ussd_otp.created",
  "payment.created",
  "checkout_session.created",
  "internal_transfer.created",
  "receipt.redeemed",
];

/** The header with the body's HMAC-SHA256 under the webhook's secret, in hexadecimal. */
export const SIGNATURE_HEADER = "Service-Signature";

/** The service delivers only to this machine. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

// A DNS server could send a delivery for localhost to another machine.
const lookup: LookupFunction = (_host, options, done) => {
  if (options.all) {
    done(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  } else done(null, "127.0.0.1", 4);
};

function secretOf(webhook: StoredRecord): string | undefined {
  const { verificationMethod } = webhook.data;
  const hmac = isObject(verificationMethod) ? verificationMethod.hmac256 : undefined;
  return isObject(hmac) && typeof hmac.secret === "string" ? hmac.secret : undefined;
}

export function deliveryBody({ id, name, space, time, data }: ServiceEvent): string {
  return JSON.stringify({ id, event: name, space, createTime: time, data });
}

export function deliveryOf(webhook: StoredRecord, event: ServiceEvent): Delivery | undefined {
  const { url, events, isActive, customHeaders } = webhook.data;
  if (isActive !== true || typeof url !== "string" || webhook.space !== event.space) return undefined;
  if (Array.isArray(events) && !events.includes(event.name)) return undefined;
  const body = deliveryBody(event);
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": "payments-reference-service",
  };
  const secret = secretOf(webhook);
  if (secret) headers[SIGNATURE_HEADER] = createHmac("sha256", secret).update(body).digest("hex");
  for (const [header, value] of Object.entries(isObject(customHeaders) ? customHeaders : {}))
    if (typeof value === "string") headers[header] = value;
  return { url, headers, body, delayMs: 0 };
}

function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    try {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
      if (!/^(content-length|transfer-encoding|connection)$/i.test(name)) kept[name] = value;
    } catch {
      // HTTP can't carry this header.
    }
  }
  return kept;
}

function send(service: Service, delivery: Delivery, attemptsLeft: number): void {
  if (!isLoopback(delivery.url)) return;
  const again = () => {
    if (attemptsLeft > 1) service.later(200, () => send(service, delivery, attemptsLeft - 1));
  };
  const secure = delivery.url.toLowerCase().startsWith("https:");
  const headers = {
    ...sendable(delivery.headers),
    "Content-Length": String(Buffer.byteLength(delivery.body)),
  };
  const options = { method: "POST", headers, lookup, agent: false as const, timeout: 5000 };
  try {
    const request = (secure ? https : http).request(delivery.url, options, (response) => {
      response.resume();
      if ((response.statusCode ?? 500) >= 500) again();
    });
    request.on("socket", (socket) => socket.unref());
    request.on("timeout", () => request.destroy());
    request.on("error", again);
    request.end(delivery.body);
  } catch {
    // A URL that can't be requested gets no delivery.
  }
}

export function announce(service: Service, name: string, space: string, data: JsonObject): void {
  const time = service.now().toISOString();
  const event: ServiceEvent = { id: service.newId("evt"), name, space, time, data };
  for (const happened of service.hooks.events([event], service)) {
    for (const webhook of service.store.all("webhook")) {
      const ordinary = deliveryOf(webhook, happened);
      const about = { event: happened, webhook };
      for (const delivery of service.hooks.deliveries(ordinary ? [ordinary] : [], service, about))
        if (isLoopback(delivery.url)) service.later(delivery.delayMs, () => send(service, delivery, 3));
    }
  }
}
