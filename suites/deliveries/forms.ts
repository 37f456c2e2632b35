import { createHmac } from "node:crypto";
import type { Delivery } from "../../client/target.ts";
import { isObject } from "../../spec/json.ts";

/** The name of the header with the HMAC-SHA256 of the body under a secret; undefined if there is none. */
export function signedIn(delivery: Delivery, secret: string): string | undefined {
  const digests = (["hex", "base64", "base64url"] as const).map((form) =>
    createHmac("sha256", secret).update(delivery.body).digest(form),
  );
  return Object.entries(delivery.headers).find(([, value]) =>
    digests.some((digest) => value.toLowerCase().includes(digest.toLowerCase())),
  )?.[0];
}

export function holdsOneOf({ body }: Delivery, texts: readonly string[]): boolean {
  return texts.some((text) => body.includes(text));
}

export function eventsIn({ headers, body }: Delivery, known: string[]): string[] {
  const texts = new Set([...Object.values(headers), ...textsIn(parsed(body))]);
  return known.filter((name) => texts.has(name));
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The names at the top of a delivery's body as one text, which is the same for deliveries of one kind. */
export function bodyForm(body: string): string {
  const value = parsed(body);
  if (isObject(value)) return `JSON {${Object.keys(value).sort().join(", ")}}`;
  return value === undefined ? "no JSON" : "JSON, no object";
}
