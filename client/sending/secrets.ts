/** Takes secrets out of what is kept, by value, wherever and however they are written. */

import { definedOnly } from "../../spec/loading/operations.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { plainly, readingOf, tellingForms } from "./secret-forms.ts";

const REDACTED = "[redacted]";
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
]);
/** Shorter values would take ordinary text with them. */
const SHORTEST_SECRET = 4;
/** What a service shows for a secret may be any word; a short one is taken out only where it is shown as one. */
const SHORTEST_SHOWN_SECRET = 8;
/** What hides a secret in more places than this is left out whole. */
const MOST_CUTS = 1_000;

export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #headers = new Set(SECRET_HEADERS);
  readonly #words = new Set<string>();
  /** Public text, as it reads: what stands in it is no secret's part. */
  #public = "";
  #forms: string[] = [];
  /** The forms of whole secrets. */
  #whole: string[] = [];
  /** Secrets as they are written most often, character by character. */
  #literal: string[] = [];

  /** Names text that everybody may read (the specification, the address of the target): no part of a secret alone. */
  addPublic(text: string): void {
    this.#public += `\n${plainly(text)}`;
    this.#forms = this.#forms.filter((form) => this.#whole.includes(form) || !this.#public.includes(form));
  }

  /**
   * Remembers a secret, however it is written: in other casing, escaped, encoded in hex or base64, broken by white
   * space. With `parts`, eight characters of it in a row are enough.
   */
  add(secret: string | undefined, parts = false): void {
    if (secret === undefined || secret.length < SHORTEST_SECRET || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const written = writings(secret);
    this.#literal = [...new Set([...this.#literal, ...written])].sort((a, b) => b.length - a.length);
    const whole = tellingForms(secret, false);
    const pieces = parts ? tellingForms(secret, true).filter((form) => !this.#public.includes(form)) : [];
    this.#whole.push(...whole);
    // The longest first: one secret may begin with another.
    this.#forms = [...new Set([...this.#forms, ...whole, ...pieces])].sort((a, b) => b.length - a.length);
  }

  /** Never shows the value of a header of requests or answers. */
  addHeader(name: string, value: string): void {
    this.#headers.add(name.toLowerCase());
    this.add(value);
  }

  /** Remembers what a service shows in the place of a secret. */
  addShown(secret: string): void {
    if (secret.length >= SHORTEST_SHOWN_SECRET) this.add(secret);
    else if (secret !== "") this.#words.add(JSON.stringify(secret));
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#literal) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    }
    for (const word of this.#words) {
      if (clean.includes(word))
        clean = clean.replace(
          new RegExp(`("[^"]*secret[^"]*"\\s*:\\s*)${escaped(word)}`, "gi"),
          `$1"${REDACTED}"`,
        );
    }
    return this.#without(clean);
  }

  /** Headers without the values of those that carry secrets; what other values hold is left to `value`. */
  hideHeaders(headers: Record<string, string>, authorizationLabel?: string): Record<string, string> {
    const secret = Object.keys(headers).filter((name) => this.#headers.has(name.toLowerCase()));
    if (secret.length === 0) return headers;
    const label = authorizationLabel === undefined ? REDACTED : `[redacted: ${authorizationLabel}]`;
    const hidden = secret.map((name) => [name, name === "authorization" ? label : REDACTED]);
    return { ...headers, ...Object.fromEntries(hidden) };
  }

  /** Every text within a plain JSON value, names of fields included. */
  value<T>(value: T): T {
    if (this.#forms.length === 0 && this.#words.size === 0) return value;
    const text = JSON.stringify(value);
    if (text === undefined) return value;
    const plain = plainly(text);
    const holds =
      this.#forms.some((form) => plain.includes(form)) ||
      this.#literal.some((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)));
    if (this.#words.size === 0 && !holds) return value;
    return this.#cleanValue(JSON.parse(text)) as T;
  }

  /** A result, but for the names that other things hold on to: those are the suite's own words. */
  result(result: CheckResult): CheckResult {
    const { message, expected, actual, evidence, reproduce, ...names } = result;
    if (message === undefined && evidence.length === 0) return result;
    return {
      ...names,
      ...this.value(definedOnly({ message, expected, actual, evidence, reproduce })),
    } as CheckResult;
  }

  #cleanValue(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((part) => this.#cleanValue(part));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [this.text(name), this.#cleanValue(part)]),
    );
  }

  /** Cuts out every place that reads as a form of a secret; a text that hides more than can be cut out is left out. */
  #without(text: string): string {
    const plain = plainly(text);
    const found = this.#forms.filter((form) => plain.includes(form));
    if (found.length === 0) return text;
    const reading = readingOf(text);
    const cuts: [from: number, to: number][] = [];
    for (const form of found) {
      for (let at = reading.text.indexOf(form); at !== -1; at = reading.text.indexOf(form, at + 1)) {
        cuts.push([reading.from[at] ?? 0, reading.to[at + form.length - 1] ?? text.length]);
        if (cuts.length > MOST_CUTS) return REDACTED;
      }
    }
    // It reads as a secret and is nowhere to be found: nothing of it is shown.
    if (cuts.length === 0) return REDACTED;
    return cutOut(text, cuts);
  }
}

/** A secret as plain text, in a URL, in JSON, and in base64 alone or behind a scheme. */
function writings(secret: string): string[] {
  const encoded = [secret, `${secret}:`, `Bearer ${secret}`].flatMap((text) => {
    const bytes = Buffer.from(text, "utf8");
    return [bytes.toString("base64"), bytes.toString("base64url")];
  });
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1), ...encoded];
}

function cutOut(text: string, cuts: [from: number, to: number][]): string {
  const ordered = cuts.sort(([a], [b]) => a - b);
  let clean = "";
  let end = 0;
  let open: [number, number] | undefined;
  const close = () => {
    if (!open) return;
    clean += text.slice(end, open[0]) + REDACTED;
    end = open[1];
  };
  for (const [from, to] of ordered) {
    if (open && from <= open[1]) open[1] = Math.max(open[1], to);
    else {
      close();
      open = [from, to];
    }
  }
  close();
  return clean + text.slice(end);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
