/** The form of a delivery: named events, signature, body. */

import { createHmac } from "node:crypto";
import type { Delivery } from "../../client/target.ts";
import { isObject } from "../../spec/json.ts";

/** The header with the HMAC-SHA256 of the body under a secret; undefined without one. */
export function signedIn(delivery: Delivery, secret: string): string | undefined {
  const digests = (["hex", "base64", "base64url"] as const).map((form) =>
    createHmac("sha256", secret).update(delivery.body).digest(form),
  );
  return Object.entries(delivery.headers).find(([, value]) =>
    digests.some((digest) => value.toLowerCase().includes(digest.toLowerCase())),
  )?.[0];
}

/** True if a delivery contains one of some texts. */
export function holdsOneOf({ body }: Delivery, texts: readonly string[]): boolean {
  return texts.some((text) => body.includes(text));
}

/** The names of events in the body or a header of a delivery, as whole texts. */
export function eventsIn({ headers, body }: Delivery, known: string[]): string[] {
  const texts = new Set([...Object.values(headers), ...textsIn(parsed(body))]);
  return known.filter((name) => texts.has(name));
}

/** Every text in a value. */
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

/** The form of a delivery's body: the names at its top. */
export function bodyForm(body: string): string {
  const value = parsed(body);
  if (isObject(value)) return `JSON {${Object.keys(value).sort().join(", ")}}`;
  return value === undefined ? "no JSON" : "JSON, no object";
}
