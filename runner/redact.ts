/** Takes secrets out of what is kept, by value, wherever and however they are written. */

import type { Exchange } from "../reports/report.ts";

const REDACTED = "[redacted]";
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]);
/** Shorter values would take ordinary text with them. */
const SHORTEST_SECRET = 4;

/** A secret as plain text, in a URL, in JSON, and in base64 alone or behind a scheme. */
function formsOf(secret: string): string[] {
  const encoded = [secret, `${secret}:`, `Bearer ${secret}`].flatMap((text) => {
    const bytes = Buffer.from(text, "utf8");
    return [bytes.toString("base64"), bytes.toString("base64url")];
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded];
}

export class Redactor {
  readonly #values = new Set<string>();
  #ordered: string[] = [];

  /** Remembers a secret, with the ways in which a URL, JSON and base64 write it. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < SHORTEST_SECRET || this.#values.has(secret)) return;
    for (const form of formsOf(secret)) this.#values.add(form);
    // The longest first: one secret may begin with another.
    this.#ordered = [...this.#values].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#ordered) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    }
    return clean;
  }

  headers(headers: Record<string, string>, authorizationLabel?: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        if (!SECRET_HEADERS.has(name)) return [name, this.text(value)];
        return [
          name,
          authorizationLabel && name === "authorization" ? `[redacted: ${authorizationLabel}]` : REDACTED,
        ];
      }),
    );
  }

  /** Every text within a plain JSON value. */
  value<T>(value: T): T {
    if (this.#ordered.length === 0) return value;
    const text = JSON.stringify(value);
    if (text === undefined || !this.#ordered.some((secret) => text.includes(secret))) return value;
    return JSON.parse(text, (_, part: unknown) => (typeof part === "string" ? this.text(part) : part)) as T;
  }

  exchange(exchange: Exchange): Exchange {
    return this.value(exchange);
  }
}
