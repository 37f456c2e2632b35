/** Redacts short or common secrets only after a name or scheme that marks a secret. */

import { keptIn } from "../../spec/memoized.ts";
import { FormIndex, SHORTEST_INDEXED } from "./form-index.ts";

const SECRETIVE = /secret|token|authori[sz]ation|password|credential|api.?key/i;

/** Matches a member of JSON (`"name": "text"`), even escaped several times. */
const JSON_MEMBER = /(?<!\\)(\\*)"((?:[^"\\]|\\u[0-9a-f]{4})+)(\1"\s*:\s*\1")((?:\\.|[^"\\])*?)\1"/gi;

/** Characters that JSON may escape (`\/` for `/`). */
const MAY_BE_ESCAPED = /["\\/\p{Cc}]/u;

export class NamedSecrets {
  readonly #byName = new Map<string, Set<string>>();
  readonly #words = new Set<string>();
  readonly #credentials = new Map<string, RegExp>();

  readonly #names = new FormIndex();
  #hasShortName = false;
  readonly #values = new FormIndex();
  #hasUnusualValue = false;

  get isEmpty(): boolean {
    return this.#byName.size + this.#words.size + this.#credentials.size === 0;
  }

  /** Adds a value that is secret in members and headers of this name. */
  add(name: string, value: string): void {
    const key = name.toLowerCase();
    this.#names.add(key);
    this.#hasShortName ||= key.length < SHORTEST_INDEXED;
    this.#addValue(value);
    keptIn(this.#byName, key, () => new Set<string>()).add(value);
  }

  addWord(value: string): void {
    this.#words.add(value);
    this.#addValue(value);
  }

  #addValue(value: string): void {
    // In escaped JSON, a backslash precedes the last quotation mark.
    for (const text of [`"${value}"`, `"${value}\\`]) this.#values.add(text);
    this.#hasUnusualValue ||= value.length + 2 < SHORTEST_INDEXED || MAY_BE_ESCAPED.test(value);
  }

  addCredential(value: string): void {
    const blank = "(?:\\s|%20|\\+)+";
    const literal = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    this.#credentials.set(value, new RegExp(`\\b(bearer|basic|token)(${blank})${literal}(?!\\w)`, "gi"));
  }

  has(name: string, value: unknown): boolean {
    if (typeof value !== "string") return false;
    if (this.#byName.get(name.toLowerCase())?.has(value)) return true;
    return this.#words.has(value) && SECRETIVE.test(name);
  }

  redacted(text: string, hide: (secret: string) => string): string {
    let clean = this.#mayHold(text) ? this.#members(text, hide) : text;
    for (const [value, pattern] of this.#credentials)
      clean = clean.replace(pattern, (_, scheme: string, blank: string) => scheme + blank + hide(value));
    return clean;
  }

  /** True if the text may hold a secret. This quick test saves the search of all members in most texts. */
  #mayHold(text: string): boolean {
    if (this.#byName.size + this.#words.size === 0) return false;
    if (text.includes("\\u")) return true;
    const isNamed =
      this.#hasShortName ||
      (this.#words.size > 0 && SECRETIVE.test(text)) ||
      this.#names.isIn(text.toLowerCase());
    return isNamed && (this.#hasUnusualValue || this.#values.isIn(text));
  }

  #members(text: string, hide: (secret: string) => string): string {
    return text.replace(
      JSON_MEMBER,
      (whole, slashes: string, name: string, between: string, value: string) => {
        const plain = withoutJsonEscapes(value);
        const plainName = withoutJsonEscapes(name);
        const isSecret = this.has(plainName, value) || this.has(plainName, plain);
        // A value may itself be JSON text.
        const inner = isSecret || !plain.includes('"') ? plain : this.#members(plain, hide);
        if (!isSecret && inner === plain) return whole;
        return `${slashes}"${name}${between}${JSON.stringify(isSecret ? hide(plain) : inner).slice(1, -1)}${slashes}"`;
      },
    );
  }
}

function withoutJsonEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
