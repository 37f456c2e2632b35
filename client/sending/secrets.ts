import { definedOnly } from "../../spec/defined-only.ts";
import { isTokenLike } from "../../spec/formats.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import { FormIndex, type Stretch } from "./form-index.ts";
import { NamedSecrets } from "./named-secrets.ts";
import { readingOf, recognizableForms, SHORTEST_PART, withoutEncodings } from "./secret-forms.ts";

const REDACTED = "[redacted]";
const OTHER_REDACTED = "[redacted: another value]";
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
]);
/** Redacting shorter values would remove ordinary text. */
const SHORTEST_SECRET = 4;
/** Shorter secrets may be words, so they need a name that marks a secret. */
const SHORTEST_SHOWN_SECRET = 8;
const MOST_CUTS = 1_000;

type Hide = (secret: string) => string;
const hideAlike: Hide = () => REDACTED;

export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #headers = new Set(SECRET_HEADERS);
  readonly #named = new NamedSecrets();
  #public = "";
  #own: RegExp | undefined;
  readonly #forms = new FormIndex();
  readonly #literal = new FormIndex();

  get size(): number {
    return this.#forms.size + this.#literal.size;
  }

  /** Adds text that is no secret, even if a secret contains it. */
  addPublic(text: string): void {
    this.#public += `\n${withoutEncodings(text)}`;
  }

  /** Sets the pattern of texts of the run, which do not reveal a secret that contains them. */
  setOwn(pattern: RegExp): void {
    this.#own = pattern;
  }

  /** Redacts the secret in any letter case, escape, hex and base64; with `parts`, also any eight characters. */
  add(secret: string | undefined, parts = false): void {
    if (secret === undefined || secret === "" || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const text of spellingsOf(secret)) this.#literal.add(text);
    if (secret.length < SHORTEST_SECRET) {
      this.#named.addWord(secret);
      this.#named.addCredential(secret);
      return;
    }
    for (const form of recognizableForms(secret, false)) this.#forms.add(form);
    if (!parts) return;
    const stretches = this.#own ? secret.split(this.#own) : [secret];
    const long = stretches.filter(({ length }) => length > SHORTEST_PART);
    for (const form of long.flatMap((stretch) => recognizableForms(stretch, true)))
      if (!this.#public.includes(form)) this.#forms.add(form);
  }

  /** Adds the value of a header with credentials, also those within it. */
  addHeader(name: string, value: string): void {
    this.#headers.add(name.toLowerCase());
    this.#named.add(name, value);
    this.addUnlessPublic(value, isTokenLike(value));
    const [, scheme = "", credentials = ""] = /^(\w+)\s+(\S.*)$/.exec(value) ?? [];
    const inner = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString("utf8") : "";
    for (const part of [credentials, inner, inner.slice(inner.indexOf(":") + 1)])
      if (part.length >= SHORTEST_SHOWN_SECRET) this.add(part, isTokenLike(part));
  }

  addNamed(name: string, value: string): void {
    if (value === "") return;
    this.#named.add(name, value);
    if (value.length >= SHORTEST_SHOWN_SECRET && !this.#isPublic(value)) this.add(value, isTokenLike(value));
  }

  addUnlessPublic(secret: string, parts = false): void {
    if (!this.#isPublic(secret)) this.add(secret, parts);
  }

  /** True for words of the specification. Redacting them would change what answers mean. */
  #isPublic(text: string): boolean {
    return this.#public.includes(withoutEncodings(text));
  }

  addShown(secret: string): void {
    if (secret.length >= SHORTEST_SHOWN_SECRET && !this.#isPublic(secret))
      this.add(secret, isTokenLike(secret));
    else if (secret !== "") this.#named.addWord(secret);
  }

  text(text: string, hide = hideAlike): string {
    return this.#withoutForms(
      this.#named.redacted(cutOut(text, this.#literal.placesIn(text), hide), hide),
      hide,
    );
  }

  isSecretHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  hideHeaders(headers: Record<string, string>, authorizationLabel?: string): Record<string, string> {
    const secret = Object.keys(headers).filter((name) => this.isSecretHeader(name));
    if (secret.length === 0) return headers;
    const label = authorizationLabel === undefined ? REDACTED : `[redacted: ${authorizationLabel}]`;
    const hidden = secret.map((name) => [name, name === "authorization" ? label : REDACTED]);
    return { ...headers, ...Object.fromEntries(hidden) };
  }

  value<T>(value: T): T {
    if (this.#forms.isEmpty && this.#literal.isEmpty && this.#named.isEmpty) return value;
    const text = JSON.stringify(value);
    return text !== undefined && this.holdsSecret(text) ? (this.#cleanValue(JSON.parse(text)) as T) : value;
  }

  json(text: string): string {
    return this.holdsSecret(text) ? JSON.stringify(this.#cleanValue(JSON.parse(text))) : text;
  }

  holdsSecret(text: string): boolean {
    return (
      this.#literal.isIn(text) ||
      this.#forms.isIn(withoutEncodings(text)) ||
      this.#named.redacted(text, hideAlike) !== text
    );
  }

  /** Returns the result without secrets. Two labels show if expected and actual differ only in secrets. */
  result(result: CheckResult): CheckResult {
    const { message, expected, actual, evidence, reproduce, ...names } = result;
    if (message === undefined && evidence.length === 0) return result;
    const clean = { ...names, ...this.value(definedOnly({ message, evidence, reproduce })) } as CheckResult;
    if (expected === undefined || actual === undefined) return clean;
    const wanted = new Set<string>();
    clean.expected = this.text(expected, (secret) => {
      wanted.add(secret);
      return REDACTED;
    });
    clean.actual = this.text(actual, (secret) =>
      wanted.size === 0 || wanted.has(secret) ? REDACTED : OTHER_REDACTED,
    );
    const sentence = `expected ${expected}, got ${actual}`;
    if (message?.startsWith(sentence))
      clean.message = `expected ${clean.expected}, got ${clean.actual}${this.text(message.slice(sentence.length))}`;
    return clean;
  }

  #cleanValue(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) {
      const areBytes = value.every((part) => typeof part === "number") && this.holdsSecret(`${value}`);
      return areBytes ? [REDACTED] : value.map((part) => this.#cleanValue(part));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        this.text(name),
        this.#named.has(name, part) ? REDACTED : this.#cleanValue(part),
      ]),
    );
  }

  /** Returns the text with the secrets hidden, in whatever encoding they stand. */
  #withoutForms(text: string, hide: Hide): string {
    if (!this.#forms.isIn(withoutEncodings(text))) return text;
    const reading = readingOf(text);
    const found = this.#forms.placesIn(reading.text);
    // If the places of the secrets are not known exactly, the whole text is redacted.
    if (found.length === 0 || found.length > MOST_CUTS) return hide(text);
    const places = found.map(
      ([from, to]): Stretch => [reading.from[from] ?? 0, reading.to[to - 1] ?? text.length],
    );
    return cutOut(text, places, hide);
  }
}

function spellingsOf(secret: string): string[] {
  const encoded = [secret, `${secret}:`, `Bearer ${secret}`].flatMap((text) => {
    const bytes = Buffer.from(text, "utf8");
    return [bytes.toString("base64"), bytes.toString("base64url")];
  });
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1), ...encoded];
}

function cutOut(text: string, stretches: readonly Stretch[], hide: Hide): string {
  let clean = "";
  let end = 0;
  for (const [from, to] of stretches) {
    // Stretches may overlap, because escapes can be read in two ways.
    if (from >= end) clean += text.slice(end, from) + hide(text.slice(from, to));
    end = Math.max(end, to);
  }
  return end === 0 ? text : clean + text.slice(end);
}
