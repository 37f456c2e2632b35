/** Takes secrets out of what is kept, by value, wherever and however they are written. */

import type { CheckResult } from "../../reports/report.ts";
import { definedOnly } from "../../spec/loading/operations.ts";

const REDACTED = "[redacted]";
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]);
/** Shorter values would take ordinary text with them. */
const SHORTEST_SECRET = 4;
/** What a service shows for a secret may be any word; a short one is taken out only where it is shown as one. */
const SHORTEST_SHOWN_SECRET = 8;

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
  readonly #words = new Set<string>();
  #ordered: string[] = [];

  /** Remembers a secret, with the ways in which a URL, JSON and base64 write it. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < SHORTEST_SECRET || this.#values.has(secret)) return;
    for (const form of formsOf(secret)) this.#values.add(form);
    // The longest first: one secret may begin with another.
    this.#ordered = [...this.#values].sort((a, b) => b.length - a.length);
  }

  /** Remembers what a service shows in the place of a secret. */
  addShown(secret: string): void {
    if (secret.length >= SHORTEST_SHOWN_SECRET) this.add(secret);
    else if (secret !== "") this.#words.add(JSON.stringify(secret));
  }

  text(text: string): string {
    let clean = text;
    for (const word of this.#words) {
      if (clean.includes(word))
        clean = clean.replace(
          new RegExp(`("[^"]*secret[^"]*"\\s*:\\s*)${escaped(word)}`, "gi"),
          `$1"${REDACTED}"`,
        );
    }
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
    if (this.#ordered.length === 0 && this.#words.size === 0) return value;
    const text = JSON.stringify(value);
    const clean = this.#words.size === 0 && !this.#ordered.some((secret) => text?.includes(secret));
    if (text === undefined || clean) return value;
    return JSON.parse(text, (_, part: unknown) => (typeof part === "string" ? this.text(part) : part)) as T;
  }

  /** A result, but for the names that other things hold on to: those are the suite's own words. */
  result(result: CheckResult): CheckResult {
    const { message, expected, actual, evidence, reproduce, ...names } = result;
    return {
      ...names,
      ...this.value(definedOnly({ message, expected, actual, evidence, reproduce })),
    } as CheckResult;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
